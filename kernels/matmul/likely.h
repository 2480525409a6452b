// Bytes that the blocked loops probably move: which blocks a cache of some capacity keeps decides how
// often each matrix passes. An estimate that ranks and never excludes.
#pragma once

#include <vector>

#include "kernels/matmul/space.h"
#include "models/traffic_parts.h"

namespace rooftune::matmul {

/// What a variant probably exchanges with what lies beyond a cache, of all threads together. Nothing where
/// the three matrices fit. Cheap: conflicts are left out where the cache has no ways.
TrafficAmounts likely_amounts(const MatmulProblem& problem, const Choice& choice, const CacheShape& cache);

/// The same of a fully associative cache of `capacity` bytes, in one number.
double likely_bytes(const MatmulProblem& problem, const Choice& choice, double capacity);

/// The same with cures. `least`: compulsory where everything fits.
std::vector<TrafficPart> likely_parts(const MatmulProblem& problem, const Choice& choice,
                                      const CacheShape& cache, Bytes least);

}  // namespace rooftune::matmul
