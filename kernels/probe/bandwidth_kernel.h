// What the bandwidth probe's translation units share.
#pragma once

#include <cstdint>

#include "kernels/probe/bandwidth.h"

namespace rooftune::probe {

/// Walks the region `passes` times.
using WalkKernel = void (*)(std::byte* region, const StreamLayout& layout, std::int64_t passes);

/// Vectors that one round of the loop handles, over all its streams: one of each at least.
constexpr int vectors_a_round(int streams) {
    return streams > 16 ? streams : 16;
}

/// Ahead enough to cover a DRAM latency at full rate, near enough to stay in the first-level cache.
inline constexpr int kPrefetchBytes = 1024;

/// nullptr where the CPU's best target lacks the width.
WalkKernel find_walk(const BandwidthWay& way);

}  // namespace rooftune::probe
