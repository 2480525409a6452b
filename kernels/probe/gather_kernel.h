// What the gather probe's translation units share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/probe/gather.h"

namespace rooftune::probe {

/// Loads table[index[i]] for every i; `count` is a multiple of kGatherRound.
using GatherKernel = void (*)(const std::byte* table, const std::uint32_t* index, std::size_t count);

inline constexpr std::size_t kGatherRound = 64;

GatherKernel find_gather(const GatherWay& way);

}  // namespace rooftune::probe
