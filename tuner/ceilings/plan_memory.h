// What to probe of memory: the walks behind B*(w), and what only tells how far below them other ways of
// going through memory lie. Each function gives groups of a plan (targets that share a footprint, in the
// order in which they are probed). Pure.
#pragma once

#include <vector>

#include "kernels/probe/prober.h"
#include "models/machine.h"

namespace rooftune {

using TargetGroup = std::vector<probe::Target>;

/// Every memory mix at one footprint on huge pages, with 1 to 8 streams. A footprint of B*(w) needs all of
/// them: a step without one mix would be bounded by the others.
TargetGroup walk_group(Bytes footprint, int threads);

/// Walks with loads besides (kernels/probe/joint.h): loads, copies and non-temporal copies with so many
/// vectors a line, or with `gathers` loads with so many gathered elements or scalar loads.
TargetGroup joint_group(Bytes footprint, int threads, bool gathers);

/// Loads, updates and copies on 4 KiB pages, and loads and updates with each narrower vector width.
TargetGroup plain_code_group(const Topology& topology, Bytes footprint, int threads);

/// Loads and updates without and with software prefetch.
TargetGroup prefetch_group(Bytes footprint, int threads);

/// Loads of data that all threads read.
TargetGroup shared_group(Bytes footprint, int threads);

/// Loads, updates and copies of another node's memory, and the latency of it.
TargetGroup remote_group(Bytes footprint, int threads);

/// Pointer chases on huge and on 4 KiB pages, one group a footprint, ascending.
std::vector<TargetGroup> latency_groups(const std::vector<Bytes>& sizes, const std::vector<bool>& huge_pages);

/// Strides of 1, 2, 4 and 64 lines, and of 64 lines padded by one, at each size that is spanned.
std::vector<TargetGroup> strided_groups(const std::vector<Bytes>& sizes, int threads);

/// Random places of each size, both element types.
TargetGroup gather_group(const std::vector<Bytes>& sizes, int threads);

/// Strides that are probed, in bytes.
const std::vector<double>& probed_strides();

}  // namespace rooftune
