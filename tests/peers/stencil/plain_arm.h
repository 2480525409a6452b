// The plain OpenMP loop as arms of a comparison.
#pragma once

#include <vector>

#include "kernels/contract/family.h"
#include "kernels/stencil/grid.h"
#include "tests/peers/harness/arm.h"

namespace rooftune::peers {

/// The grid of a canonical spec (Problem::spec()).
stencil::Grid grid_of(const ProblemSpec& spec);

/// "plain" for any x86-64 and "plain-native" for this processor.
std::vector<Arm> plain_arms(const ProblemSpec& spec);

}  // namespace rooftune::peers
