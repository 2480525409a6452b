// Walks of memory while the core loads from its first-level cache besides: where time is the sum of both, and
// not the larger of the two, these tell by how much. What bandwidth.h says of bytes counted holds here too.
#pragma once

#include <array>
#include <vector>

#include "kernels/probe/bandwidth.h"

namespace rooftune::probe {

struct JointWay {
    BandwidthWay walk;  ///< loads, copies or non-temporal copies
    int loads = 0;      ///< of 128 bits, for each line read
    int gathered = 0;   ///< f64 elements by gathers of the widest vectors, for each line read
};

/// What is built: so many loads, or so many elements of loads alone; one or the other.
/// Stencils of 7 and 27 points have 3.9 to 33 by their vectors and register blocks, SpMV gathers 4 to 7.
inline constexpr std::array<int, 5> kJointLoads{3, 5, 7, 11, 24};
inline constexpr std::array<int, 4> kJointGathered{4, 5, 6, 7};
inline constexpr std::array<int, 2> kJointStreams{1, 4};
/// Bytes of prefetch worth trying: none, what walks take, and what kernels take that compute between.
inline constexpr std::array<int, 3> kJointAhead{0, 1024, 8192};

/// Whether it is built (for the widest vectors of each instruction set), the CPU has the width (256 bits and
/// more where it gathers), and the share of the footprint holds the streams.
bool can_join(const JointWay& way, Bytes footprint, int threads);

/// Work in bytes, as bandwidth_work() counts them. The memory must be reserved and must outlive the work.
Work joint_work(const JointWay& way, Bytes footprint, int threads, Pages pages, const Memory& memory);

/// Walks a region `passes` times, prefetching `ahead` bytes where the way prefetches; nullptr where it is not
/// built.
using JointKernel = void (*)(std::byte* region, const StreamLayout& layout, std::size_t ahead,
                             std::int64_t passes);
JointKernel find_joint(const JointWay& way);

}  // namespace rooftune::probe
