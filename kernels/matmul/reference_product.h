// A product in double, for answers that others are compared with.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/matmul/geometry.h"

namespace rooftune::matmul {

/// sums (m × n) += a (m × k) · b (k × n), all row-major without gaps; of the result the rows and columns
/// given. The sums over k are in any order, fused or not. Shares no code with the variants. Throws
/// std::bad_alloc.
void add_product(const std::vector<double>& a, const std::vector<double>& b, std::size_t n, std::size_t k,
                 const Range& rows, const Range& columns, std::vector<double>& sums);

}  // namespace rooftune::matmul
