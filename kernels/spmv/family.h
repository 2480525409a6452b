// Sparse matrix times vector, y = A·x.
#pragma once

#include <memory>

#include "kernels/contract/family.h"

namespace rooftune {

std::unique_ptr<Family> make_spmv_family();

}  // namespace rooftune
