// Work of stencil variants: derivation in README.md, "Work".
#pragma once

#include <memory>

#include "kernels/contract/family.h"
#include "kernels/stencil/grid.h"

namespace rooftune::stencil {

/// Keeps a copy of the space.
std::unique_ptr<WorkModel> make_work_model(const Grid& grid, const Space& space, State state);

}  // namespace rooftune::stencil
