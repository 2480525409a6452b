#include "tuner/plans/spmv_plan.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/runtime/error.h"
#include "kernels/runtime/participants.h"
#include "kernels/spmv/family.h"
#include "kernels/spmv/problem.h"
#include "kernels/spmv/product.h"
#include "tuner/plans/on_lent_threads.h"
#include "tuner/plans/pick.h"
#include "tuner/plans/sparse_matrix_inside.h"
#include "tuner/plans/workers_inside.h"
#include "tuner/plans/wrong_use.h"

namespace rooftune {
namespace {

template <typename T>
void check_range(const spmv::Csr& csr) {
    const auto too_large = [](double v) { return !std::isfinite(static_cast<T>(v)); };
    const auto found = std::find_if(csr.value.begin(), csr.value.end(), too_large);
    if (found == csr.value.end()) return;
    throw InputError("sparse matrix: the value of entry " + std::to_string(found - csr.value.begin()) +
                     " is too large for f32 (3.4e38); make the plan for double");
}

}  // namespace

template <typename T>
struct ROOFTUNE_HIDDEN SpmvPlan<T>::Inside {
    int threads() const { return product ? product->threads() : 1; }

    void check(const T* x, const T* y) const {
        const std::size_t x_bytes = static_cast<std::size_t>(cols) * sizeof(T),
                          y_bytes = static_cast<std::size_t>(rows) * sizeof(T);
        check_given(x, x_bytes, "spmv: x");
        check_given(y, y_bytes, "spmv: y");
        check_apart(x, x_bytes, y, y_bytes, "spmv: x and y");
    }

    /// For who has the plan alone.
    void run(const T* x, T* y) {
        if (!product) {
            std::fill_n(y, rows, T{0});
            return;
        }
        if (!longer_x.empty()) {
            std::copy_n(x, cols, longer_x.begin());
            x = longer_x.data();
        }
        product->run(x, y);
    }

    std::int64_t rows = 0, cols = 0;
    PlanChoice choice{};
    std::shared_ptr<Workers> workers{};
    std::optional<spmv::Product> product{};  ///< none where the matrix has no entries
    /// x with what a block column at the right edge reads beyond it; empty where nothing does.
    std::vector<T> longer_x{};
    OneAtATime one_run{};
    std::optional<Participants> participants{};
};

template <typename T>
SpmvPlan<T>::SpmvPlan(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
template <typename T>
SpmvPlan<T>::SpmvPlan(SpmvPlan&&) noexcept = default;
template <typename T>
SpmvPlan<T>& SpmvPlan<T>::operator=(SpmvPlan&&) noexcept = default;
template <typename T>
SpmvPlan<T>::~SpmvPlan() = default;

template <typename T>
void SpmvPlan<T>::run(const T* x, T* y) {
    Inside& in = held(inside_);
    in.check(x, y);
    if (!in.product) {
        in.run(x, y);
        return;
    }
    const auto alone = in.workers->inside().lock(&in.one_run);
    in.run(x, y);
}

template <typename T>
void SpmvPlan<T>::run_part(int part, int parts, const T* x, T* y) {
    Inside& in = held(inside_);
    run_part_of(in, part, parts, [&] {
        in.check(x, y);
        in.run(x, y);
    });
}

template <typename T>
void SpmvPlan<T>::run_on(const PlanExecution& execution, const T* x, T* y) {
    Inside& in = held(inside_);
    in.check(x, y);
    run_by(in, execution, [&] { in.run(x, y); });
}

template <typename T>
std::int64_t SpmvPlan<T>::rows() const {
    return held(inside_).rows;
}
template <typename T>
std::int64_t SpmvPlan<T>::cols() const {
    return held(inside_).cols;
}
template <typename T>
const PlanChoice& SpmvPlan<T>::choice() const {
    return held(inside_).choice;
}

template <typename T>
SpmvPlan<T> spmv_plan(const Tuned& tuned, const SparseMatrix& matrix, const PlanOptions& options) {
    constexpr DType kDType = sizeof(T) == 8 ? DType::f64 : DType::f32;
    auto made = std::make_unique<typename SpmvPlan<T>::Inside>();
    made->rows = matrix.rows();
    made->cols = matrix.cols();
    if (matrix.stored() == 0) {
        made->choice.why = "the matrix has no entries: y is set to zero";
        made->choice.variant = "nothing to multiply";
        made->participants.emplace(made->threads());
        return SpmvPlan<T>(std::move(made));
    }
    const spmv::Csr& csr = matrix.inside().csr;
    check_range<T>(csr);
    const auto problem = spmv::SpmvProblem::from(csr, kDType, {}, "matrix");
    made->workers = workers_of(options);
    const auto family = make_spmv_family();
    Picked picked = pick(tuned.inside(), *family, *problem, made->workers->size(), options.state);
    made->choice = std::move(picked.choice);
    const spmv::Choice choice = spmv::decode(picked.space, picked.variant, kDType);
    Workers::Inside& workers = made->workers->inside();
    const auto alone = workers.lock();
    made->product.emplace(
        spmv::place_matrix(problem->matrix(), kDType, choice, picked.target.numa_nodes, workers.team), choice,
        spmv::kernel_of(picked.space, picked.variant, picked.target, kDType), workers.team);
    if (const std::int64_t more = spmv::Product::overhang(choice.format, made->cols); more > 0)
        made->longer_x.resize(static_cast<std::size_t>(made->cols + more));
    made->participants.emplace(made->threads());
    return SpmvPlan<T>(std::move(made));
}

template class SpmvPlan<float>;
template class SpmvPlan<double>;
template SpmvPlan<float> spmv_plan(const Tuned&, const SparseMatrix&, const PlanOptions&);
template SpmvPlan<double> spmv_plan(const Tuned&, const SparseMatrix&, const PlanOptions&);

}  // namespace rooftune
