// OpenBLAS as an arm. The library is loaded in the arm's process only: it starts threads and picks its
// kernels when it is loaded, by the environment that it finds then.
#pragma once

#include <vector>

#include "kernels/contract/family.h"
#include "tests/peers/harness/arm.h"

namespace rooftune::peers {

/// OpenBLAS as it chooses, and where there is AVX-512 also forced to its kernels for it: on processors
/// newer than the library, and under hypervisors that mask the model, it falls back to narrower ones.
std::vector<Arm> openblas_arms(const ProblemSpec& spec);

}  // namespace rooftune::peers
