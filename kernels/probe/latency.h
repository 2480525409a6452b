// Latency: loads of which each needs the one before (a pointer chase), one thread. The pointers lie one a
// cache line and lead through all lines of the footprint in one random cycle, so that no prefetcher can
// guess the next. Huge and small pages differ by what the address translation costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/probe/memory.h"
#include "kernels/probe/window.h"

namespace rooftune::probe {

/// A random permutation of 0 … lines−1 that is one cycle (Sattolo's shuffle): entry i is the line behind
/// line i. Deterministic. Empty for no lines.
std::vector<std::uint32_t> chase_order(std::size_t lines);

/// Lines of a footprint: the number of places of its chase.
std::size_t chase_lines(Bytes footprint);

/// Whether the footprint holds at least two lines.
bool can_chase(Bytes footprint);

/// Writes the cycle into the region, one pointer at the start of each line, and returns where to begin. The
/// writing runs through the whole footprint, so that the caches hold what they can of it afterwards.
std::byte* prepare_chase(std::byte* region, Bytes footprint);

/// Work in loads, on one thread. A repetition is kChaseSteps loads, not the whole cycle: over a large
/// footprint that would take a good part of a second, and any stretch of a random cycle is as good as
/// another. `at` is where the last repetition stopped, and must outlive the work.
Work chase_work(std::byte*& at);

inline constexpr int kChaseSteps = 64;

}  // namespace rooftune::probe
