// The order in which `rooftune ladder` adds this family's optimisations.
#pragma once

#include "kernels/family.h"

namespace rooftune::stencil {

Ladder ladder();

}  // namespace rooftune::stencil
