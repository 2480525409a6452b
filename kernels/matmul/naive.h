// The textbook loops: the naive variant, kept for ever.
#pragma once

#include <cstdint>

#include "kernels/matmul/problem.h"

namespace rooftune::matmul {

/// Rows begin … end−1 of C = alpha·op(A)·op(B) + beta·C.
template <typename T>
void naive_rows(const MatmulProblem& problem, const T* a, const T* b, T* c, std::int64_t begin,
                std::int64_t end);

}  // namespace rooftune::matmul
