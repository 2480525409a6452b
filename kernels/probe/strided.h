// Strided: loads of one element every so many bytes, the ceiling of walks along the wrong dimension. From
// one line on each load needs a line of its own; at a power of two the lines compete for few cache sets, and
// the same stride padded by one line tells what that costs.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/probe/memory.h"
#include "kernels/probe/window.h"
#include "models/vocabulary.h"

namespace rooftune::probe {

struct StridedWay {
    DType dtype = DType::f64;
    std::size_t stride = 64;  ///< bytes
};

/// Offsets of one thread's elements within its share of the footprint, which here is what the walk spans
/// from its first byte to its last: 0, stride, 2·stride, …; a multiple of kStridedRound of them, none when
/// the share does not hold one round.
std::size_t strided_elements(const StridedWay& way, Bytes footprint, int threads);

/// Whether elements are of 4 or 8 bytes, do not overlap, and the share holds a round of them.
bool can_stride(const StridedWay& way, Bytes footprint, int threads);

/// Work in elements; a repetition is one walk over the footprint. Throws EnvironmentError unless
/// can_stride(). The memory must be reserved and must outlive the work.
Work strided_work(const StridedWay& way, Bytes footprint, int threads, Pages pages, const Memory& memory);

/// Elements that one round of the loop loads.
inline constexpr std::size_t kStridedRound = 8;

}  // namespace rooftune::probe
