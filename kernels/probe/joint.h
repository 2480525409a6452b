// Walks of memory while the core loads from its first-level cache besides: where time is the sum of both, and
// not the larger of the two, these tell by how much. What bandwidth.h says of bytes counted holds here too.
#pragma once

#include <array>
#include <vector>

#include "kernels/probe/bandwidth.h"
#include "models/loads_besides.h"

namespace rooftune::probe {

struct JointWay {
    BandwidthWay walk;       ///< loads, copies or non-temporal copies
    LoadsBesides besides{};  ///< vectors of 128 bits, gathers of the widest
};

/// What is built, for every mix. Stencils of 7 and 27 points load 3.9 to 33 vectors by their width and
/// register blocks, two of them across lines for each row of neighbours: 2 of 7 points, 8 to 18 of 27.
inline constexpr std::array<LoadsBesides, 9> kJointVectors{
    LoadsBesides{3},    LoadsBesides{4, 2},  LoadsBesides{5, 2},  LoadsBesides{7}, LoadsBesides{8, 2},
    LoadsBesides{9, 2}, LoadsBesides{11, 8}, LoadsBesides{22, 8}, LoadsBesides{24}};
/// For walks that only load. SpMV gathers 4 to 7 elements. Without gathers its vectors take a scalar load for
/// each entry, of which a line holds 5 to 10, and its scalar code three.
inline constexpr std::array<LoadsBesides, 12> kJointIndexed{
    LoadsBesides{.gathered = 4}, LoadsBesides{.gathered = 5}, LoadsBesides{.gathered = 6},
    LoadsBesides{.gathered = 7}, LoadsBesides{.scalars = 4},  LoadsBesides{.scalars = 5},
    LoadsBesides{.scalars = 6},  LoadsBesides{.scalars = 8},  LoadsBesides{.scalars = 11},
    LoadsBesides{.scalars = 15}, LoadsBesides{.scalars = 19}, LoadsBesides{.scalars = 26}};
inline constexpr std::array<int, 2> kJointStreams{1, 4};
/// Bytes of prefetch worth trying: none, what walks take, and what kernels take that compute between.
inline constexpr std::array<int, 3> kJointAhead{0, 1024, 8192};

/// Where the loads besides lie in the region that they share, bytes. Vectors at offsets of lines that differ,
/// as loads at equal ones would meet in one bank of the cache; those across lines in another pair of lines
/// each, at 52 to 60.
inline constexpr std::size_t kNearBytes = 2048;
constexpr std::size_t vector_offset(std::size_t load) {
    return load * 80 % kNearBytes;
}
constexpr std::size_t crossing_offset(std::size_t load) {
    return (load * 128 + 52 + 4 * (load % 3)) % kNearBytes;
}
constexpr std::size_t scalar_offset(std::size_t load) {
    return load * 72 % kNearBytes;
}

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
