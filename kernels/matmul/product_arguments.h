// The matrices of one product and its factors: what may change from run to run of a variant.
#pragma once

#include <cstdint>

#include "kernels/matmul/problem.h"

namespace rooftune::matmul {

/// C = alpha·op(A)·op(B) + beta·C. Leading dimensions are the elements from one stored row to the next, at
/// least as many as a row has; what lies between the rows is neither read nor written.
template <typename T>
struct ProductArguments {
    const T* a = nullptr;
    std::int64_t lda = 1;
    const T* b = nullptr;
    std::int64_t ldb = 1;
    T* c = nullptr;
    std::int64_t ldc = 1;
    T alpha{1};
    T beta{0};  ///< with 0, C is not read
};

/// The problem's own factors, and matrices without gaps.
template <typename T>
ProductArguments<T> without_gaps(const MatmulProblem& problem, const T* a, const T* b, T* c) {
    return {a,
            problem.lda(),
            b,
            problem.ldb(),
            c,
            problem.ldc(),
            static_cast<T>(problem.alpha()),
            static_cast<T>(problem.beta())};
}

}  // namespace rooftune::matmul
