// The textbook loops: the naive variant, kept for ever.
#pragma once

#include <cstdint>

#include "kernels/matmul/problem.h"
#include "kernels/matmul/product_arguments.h"

namespace rooftune::matmul {

/// Rows begin … end−1 of C = alpha·op(A)·op(B) + beta·C; sizes and which matrices are stored transposed are
/// the problem's.
template <typename T>
void naive_rows(const MatmulProblem& problem, const ProductArguments<T>& product, std::int64_t begin,
                std::int64_t end);

}  // namespace rooftune::matmul
