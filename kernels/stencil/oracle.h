// The reference: plain loops in double over the same input.
#pragma once

#include "kernels/contract/family.h"
#include "kernels/runtime/team.h"
#include "kernels/stencil/grid.h"

namespace rooftune::stencil {

/// x fastest, then y, then z. One tolerance for all elements. `team` may be null: then the calling
/// thread does it alone.
Oracle make_oracle(const Grid& grid, std::uint64_t seed, Team* team);

/// How far a right answer may be from the reference. A step that adds n terms of weights whose
/// magnitudes sum to 1 is off by at most γₙ of the largest magnitude of the grid, which is at most 1 and
/// never grows; what it was given is off by the steps before. n counts every operation of a point.
double tolerance_of(const Grid& grid);

}  // namespace rooftune::stencil
