#include "tuner/machine/audit/peer.h"

#include <algorithm>
#include <cmath>

#include "tuner/ceilings/regions.h"

namespace rooftune::audit {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;

bool shared_by_all(const Topology& topology, const std::string& level, int threads) {
    for (const CacheLevel& cache : topology.caches) {
        if ("L" + std::to_string(cache.level) == level) return threads > 1 && cache.shared_by >= threads;
    }
    return false;
}

}  // namespace

std::vector<int> PeerSetting::thread_counts() const {
    const int all = static_cast<int>(cpus.size());
    return all > 1 ? std::vector<int>{1, all} : std::vector<int>{1};
}

std::vector<Place> places_of(const Topology& topology, int threads, Bytes largest) {
    std::vector<Place> places;
    for (const int n : threads > 1 ? std::vector<int>{1, threads} : std::vector<int>{1}) {
        double outermost = 0.0;
        for (const Region& region : regions_of(topology)) {
            double footprint = 0.0;
            if (std::isinf(region.to.value)) {
                footprint = std::max(4.0 * outermost, 64.0 * kMiB);
            } else {
                const double parts = shared_by_all(topology, region.name, n) ? 1.0 : n;
                outermost = region.to.value * parts;
                // Half of a level is safely in it; a large one may be the host's, so not far above the last.
                footprint =
                    std::min(0.5 * region.to.value, 16.0 * std::max(region.from.value, 1024.0)) * parts;
                if (region.from.value <= 0.0) footprint = 0.5 * outermost;
            }
            footprint = std::floor(std::min(footprint, largest.value) / 4096.0) * 4096.0;
            if (footprint >= 4096.0) places.push_back({region.name, n, Bytes(footprint)});
        }
    }
    return places;
}

}  // namespace rooftune::audit
