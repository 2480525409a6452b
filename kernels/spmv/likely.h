// Bytes that a variant probably moves: its matrix once, y with its lines fetched first, and x as often as a
// cache of some capacity loses it between two uses. An estimate that ranks and never excludes.
#pragma once

#include <vector>

#include "kernels/spmv/space.h"
#include "models/spmv_traffic.h"
#include "models/traffic_parts.h"

namespace rooftune::spmv {

/// Uses of the lines of x in the order of the matrix, an element's bytes each. x begins on a line.
ReuseCurve reuse_of_x(const CsrView& a, DType dtype);

/// What a variant probably exchanges with what lies beyond a cache, which its threads share evenly. The
/// cache's ways do not matter: matrix and y pass, and x is met at random. Nothing where all fits.
TrafficAmounts likely_amounts(const Analysis& analysis, const FormatSummary& format, const Choice& choice,
                              const CacheShape& cache);

/// Indexed loads of x, over all threads, between whose uses of a line the matrix and x together bring in more
/// than `capacity`. First uses are none of them. A format that loads a block's elements at one index, or
/// pads, has as many of each kind as its share of all. Threads walk rows of their own, so each has its own
/// caches for what lies between.
double gathers_again(const Analysis& analysis, const FormatSummary& format, Bytes capacity);

/// likely_amounts() with cures. `least`: compulsory where everything fits.
std::vector<TrafficPart> likely_parts(const Analysis& analysis, const FormatSummary& format,
                                      const Choice& choice, const CacheShape& cache, Bytes least);

}  // namespace rooftune::spmv
