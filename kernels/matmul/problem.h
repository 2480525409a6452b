// A matrix product: C = alpha·op(A)·op(B) + beta·C, everything row-major and tightly packed.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/contract/family.h"

namespace rooftune::matmul {

class MatmulProblem final : public Problem {
public:
    /// Validates. Throws InputError.
    static std::unique_ptr<MatmulProblem> load(const ProblemSpec& spec);
    /// Keys that a spec may hold.
    static std::vector<ProblemKey> keys();

    ProblemSpec spec() const override;
    std::string title() const override;
    std::string digest() const override;
    std::vector<std::pair<std::string, double>> facts() const override;
    std::vector<std::pair<std::string, double>> features() const override;
    DType dtype() const override { return dtype_; }
    /// 2mnk: scaling by alpha and beta is not counted.
    double flops_nominal() const override;

    /// C is m × n, op(A) is m × k, op(B) is k × n; all at least 1.
    std::int64_t m() const { return m_; }
    std::int64_t n() const { return n_; }
    std::int64_t k() const { return k_; }
    /// Already rounded to dtype().
    double alpha() const { return alpha_; }
    double beta() const { return beta_; }
    bool transpose_a() const { return transpose_a_; }
    bool transpose_b() const { return transpose_b_; }
    /// Elements from one stored row to the next. A is stored k × m when it is transposed, else m × k;
    /// B is stored n × k when it is transposed, else k × n.
    std::int64_t lda() const { return transpose_a_ ? m_ : k_; }
    std::int64_t ldb() const { return transpose_b_ ? k_ : n_; }
    std::int64_t ldc() const { return n_; }

private:
    MatmulProblem() = default;
    std::int64_t m_ = 1, n_ = 1, k_ = 1;
    DType dtype_ = DType::f64;
    double alpha_ = 1.0, beta_ = 0.0;
    bool transpose_a_ = false, transpose_b_ = false;
};

}  // namespace rooftune::matmul
