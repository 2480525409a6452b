// The order in which `rooftune ladder` adds this family's optimisations.
#pragma once

#include "kernels/contract/family.h"

namespace rooftune::spmv {

Ladder ladder();

}  // namespace rooftune::spmv
