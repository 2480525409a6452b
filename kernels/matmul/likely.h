// Bytes that the blocked loops probably move: which blocks a cache of some capacity keeps decides how
// often each matrix passes. An estimate that ranks and never excludes.
#pragma once

#include "kernels/matmul/space.h"

namespace rooftune::matmul {

/// Bytes in both directions beyond a cache of `capacity` bytes in all (over the threads).
double likely_bytes(const MatmulProblem& problem, const Choice& choice, double capacity);

}  // namespace rooftune::matmul
