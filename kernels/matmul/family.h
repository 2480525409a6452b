// Dense matrix product, C = alpha*op(A)*op(B) + beta*C.
#pragma once

#include <memory>

#include "kernels/contract/family.h"

namespace rooftune {

std::unique_ptr<Family> make_matmul_family();

}  // namespace rooftune
