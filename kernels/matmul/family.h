// Sparse matrix times vector, y = A·x.
#pragma once

#include <memory>

#include "kernels/family.h"

namespace rooftune {

std::unique_ptr<Family> make_matmul_family();

}  // namespace rooftune
