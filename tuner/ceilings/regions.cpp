#include "tuner/ceilings/regions.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tuner/ceilings/implausible_levels.h"

namespace rooftune {

std::vector<Region> regions_of(const Topology& topology, int threads) {
    std::vector<Region> regions;
    Bytes from{0.0};
    for (const CacheLevel& cache : topology.caches) {
        // A capacity is the last footprint of a coarse grid before the fall: a reported size within the next
        // step agrees with it and is the finer figure.
        const bool agree = cache.reported >= cache.probed && cache.reported <= cache.probed / kSmallCache;
        const Bytes size = cache.probed.value > 0.0 && !agree ? cache.probed : cache.reported;
        // Several threads may reach more of a shared cache than one did, but not more than there is of it. A
        // team spreads over cores, so that it uses as many as there are.
        const int there =
            std::clamp(threads, 1, std::max(1, topology.threads / std::max(1, cache.shared_by)));
        const Bytes most = std::max(size, cache.reported) * there;
        const Bytes to = std::min(size * threads, cache.reported.value > 0.0 ? most : size * threads);
        if (to <= from) continue;
        regions.push_back({fmt::format("L{}", cache.level), from, to});
        from = to;
    }
    regions.push_back({"memory", from, Bytes(std::numeric_limits<double>::infinity())});
    return regions;
}

std::optional<Region> region_named(const Topology& topology, const std::string& name, int threads) {
    for (const Region& region : regions_of(topology, threads)) {
        if (region.name == name) return region;
    }
    return std::nullopt;
}

}  // namespace rooftune
