// Jacobi sweeps of a 7- or 27-point stencil over a 3-D grid.
#pragma once

#include <memory>

#include "kernels/contract/family.h"

namespace rooftune {

std::unique_ptr<Family> make_stencil_family();

}  // namespace rooftune
