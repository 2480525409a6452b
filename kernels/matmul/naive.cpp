#include "kernels/matmul/naive.h"

namespace rooftune::matmul {

template <typename T>
void naive_rows(const MatmulProblem& problem, const ProductArguments<T>& product, std::int64_t begin,
                std::int64_t end) {
    const std::int64_t n = problem.n();
    const std::int64_t k = problem.k();
    const T* const a = product.a;
    const T* const b = product.b;
    const std::int64_t a_row = problem.transpose_a() ? 1 : product.lda;
    const std::int64_t a_step = problem.transpose_a() ? product.lda : 1;
    const std::int64_t ldb = product.ldb;
    const T alpha = product.alpha;
    const T beta = product.beta;
    for (std::int64_t i = begin; i < end; ++i) {
        T* const row = product.c + i * product.ldc;
        for (std::int64_t j = 0; j < n; ++j) row[j] = beta == T{0} ? T{0} : beta * row[j];
        if (problem.transpose_b()) {
            for (std::int64_t j = 0; j < n; ++j) {
                T sum = 0;
                for (std::int64_t p = 0; p < k; ++p) sum += a[i * a_row + p * a_step] * b[j * ldb + p];
                row[j] += alpha * sum;
            }
        } else {
            for (std::int64_t p = 0; p < k; ++p) {
                const T factor = alpha * a[i * a_row + p * a_step];
                for (std::int64_t j = 0; j < n; ++j) row[j] += factor * b[p * ldb + j];
            }
        }
    }
}

template void naive_rows(const MatmulProblem&, const ProductArguments<double>&, std::int64_t, std::int64_t);
template void naive_rows(const MatmulProblem&, const ProductArguments<float>&, std::int64_t, std::int64_t);

}  // namespace rooftune::matmul
