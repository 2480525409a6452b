// A matrix in the variant that is picked for it, as a plan multiplies by it. Whoever calls has the team
// alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/spmv/multivector.h"
#include "kernels/spmv/product.h"
#include "kernels/spmv/sparse.h"
#include "tuner/plans/choice.h"
#include "tuner/plans/tuned_inside.h"

namespace rooftune {

/// The matrix that a plan is for, and what is known of its runs.
struct SpmvRequest {
    spmv::CsrView matrix;
    int threads = 1;           ///< of the team
    const std::string& state;  ///< of the caches
};

/// T is float or double, of which the matrix's values must be within the range.
template <typename T>
class SpmvProduct {
public:
    /// Picks and converts. Throws InputError for a state that is none, std::bad_alloc.
    SpmvProduct(const Tuned::Inside& tuned, const SpmvRequest& request, Team& team);

    const PlanChoice& choice() const { return *choice_; }
    /// For who has shown it to a program.
    std::shared_ptr<const PlanChoice> shared_choice() const { return choice_; }
    void say_why(std::string why) { choice_->why = std::move(why); }
    /// That run it.
    int threads() const { return product_->threads(); }
    /// Whether the matrix is held as compressed rows, so that its pattern can be had again.
    bool is_rows() const;
    /// That pattern; only where is_rows().
    spmv::Csr pattern() const { return matrix_->pattern(cols_); }

    /// y = A·x, or y = alpha·A·x + beta·y as SpmvPlan::run() says. `sum` is working space.
    void run(const T* x, T* y);
    void run(T alpha, const T* x, T beta, T* y, std::vector<T>& sum);
    /// That for several vectors, at least one, with alpha other than 0.
    void run(std::int64_t count, T alpha, const spmv::Vectors<const T>& x, T beta, const spmv::Vectors<T>& y,
             std::vector<T>& sum);

    /// `pattern`: of the matrix; not looked at where is_rows(). `value`: one for each of its entries.
    void set_values(const spmv::CsrView& pattern, const double* value) {
        matrix_->set_values(pattern, value, *team_);
    }
    void set_values(const spmv::CsrView& pattern, const float* value) {
        matrix_->set_values(pattern, value, *team_);
    }
    /// From now on runs read the values there, as PlacedMatrix::view_values() says. Only where is_rows().
    void view_values(const T* value);
    /// Where they are; null where the product has its own.
    const T* viewed() const { return viewed_; }
    std::vector<double> values(const spmv::CsrView& pattern) const {
        return matrix_->values(pattern, *team_);
    }

    /// Bytes of the converted matrix and of what a run needs beside it.
    std::size_t memory_bytes() const;
    /// The same before it is made, with `is_rows` told.
    static std::size_t memory_bytes(const Tuned::Inside& tuned, const SpmvRequest& request, bool& is_rows);

    /// y = beta·y; with beta 0 y is not read. `team`: to share the work out over, or nullptr.
    static void scale(T beta, T* y, std::int64_t length, Team* team);

private:
    /// y += alpha·(what kernels do not see of viewed values)·x.
    void add_unseen(T alpha, const spmv::Vectors<const T>& x, const spmv::Vectors<T>& y,
                    std::int64_t count) const;

    bool two_are_faster_alone() const;

    static constexpr DType kDType = sizeof(T) == 8 ? DType::f64 : DType::f32;

    Team* team_;
    std::int64_t cols_;
    std::shared_ptr<PlanChoice> choice_;
    std::shared_ptr<spmv::PlacedMatrix> matrix_;
    std::optional<spmv::Product> product_;
    const T* viewed_ = nullptr;  ///< values where the program has them
    spmv::Choice variant_;
    Isa isa_ = Isa::sse4;
    std::optional<spmv::MultivectorProduct> of_several_;  ///< from the first run of several vectors on
    /// x with what a block column at the right edge reads beyond it; empty where nothing does.
    std::vector<T> longer_x_;
};

/// Aᵀ in compressed rows, with values.
spmv::Csr transposed_of(const spmv::CsrView& a);

}  // namespace rooftune
