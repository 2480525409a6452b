#include "tuner/ceilings/regions.h"

#include <fmt/format.h>

#include <limits>

namespace rooftune {

std::vector<Region> regions_of(const Topology& topology) {
    std::vector<Region> regions;
    Bytes from{0.0};
    for (const CacheLevel& cache : topology.caches) {
        // A capacity is the last footprint of a coarse grid before the fall: a reported size within the next
        // step agrees with it and is the finer figure.
        const bool agree = cache.reported >= cache.probed && cache.reported <= cache.probed * 2.1;
        const Bytes to = cache.probed.value > 0.0 && !agree ? cache.probed : cache.reported;
        if (to <= from) continue;
        regions.push_back({fmt::format("L{}", cache.level), from, to});
        from = to;
    }
    regions.push_back({"memory", from, Bytes(std::numeric_limits<double>::infinity())});
    return regions;
}

}  // namespace rooftune
