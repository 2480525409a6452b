// Traffic as caches with least-recently-used replacement would have it: layer conditions. An estimate.
#pragma once

#include <vector>

#include "kernels/stencil/grid.h"
#include "kernels/stencil/layout.h"
#include "kernels/stencil/space.h"
#include "models/layer_condition.h"
#include "models/traffic_parts.h"
#include "models/units.h"

namespace rooftune::stencil {

/// What a variant probably exchanges with what lies beyond caches of any capacity: README.md, "Likely
/// traffic". Its layer conditions are worked out once; asking is cheap then.
class LikelyTraffic {
public:
    LikelyTraffic(const Grid& grid, const Choice& choice);

    /// One repetition, beyond a cache that the threads share evenly. Nothing when all arrays fit. Conflicts
    /// are left out where the cache has no ways.
    TrafficAmounts beyond(const CacheShape& cache) const;
    bool all_fits(Bytes capacity) const;
    /// Whether one thread's share of a cache holds what lets each element be read once a block.
    bool planes_stay(Bytes mine) const;

private:
    /// Of one thread's share.
    const LayerCondition& holds(Bytes mine) const;
    /// Elements read for each point.
    double reads(const LayerCondition& condition) const;
    /// Elements a point that come in again because of the sets they fall into; `fetched` come in anyway.
    double conflicts(const CacheShape& mine, double fetched) const;

    Grid grid_;
    Choice choice_;
    Layout layout_;
    std::int64_t height_;  ///< rows of a block
    std::vector<LayerCondition> conditions_;
};

/// The same of a fully associative cache, in one number.
Bytes likely_bytes(const Grid& grid, const Choice& choice, Bytes capacity);

/// The same with cures. `least`: compulsory where all arrays fit.
std::vector<TrafficPart> likely_parts(const Grid& grid, const Choice& choice, const CacheShape& cache,
                                      Bytes least);

}  // namespace rooftune::stencil
