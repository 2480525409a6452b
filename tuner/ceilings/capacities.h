// Cache sizes as the probes see them: the footprints at which the load bandwidth of one thread falls.
#pragma once

#include <utility>
#include <vector>

#include "models/machine.h"

namespace rooftune {

/// A point of a bandwidth curve: footprint and byte/s.
using BandwidthPoint = std::pair<Bytes, double>;

/// The best load bandwidth of one thread at each footprint, ascending.
std::vector<BandwidthPoint> load_curve(const Machine& machine);

/// Footprints before which the rate is a plateau and behind which it has fallen by a quarter or more
/// within two doublings: the capacities of the levels, ascending. Rates are made non-increasing from
/// the right first (noise only lowers them).
std::vector<Bytes> find_capacities(const std::vector<BandwidthPoint>& curve);

/// Sets `probed` of every reported cache level that a capacity fits: within a factor of three of what is
/// reported, or, for a shared last level (which may be the host's), anything beyond the level below.
void set_probed_caches(Machine& machine);

}  // namespace rooftune
