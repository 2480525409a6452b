#include "tuner/plans/spmv_product.h"

#include <algorithm>
#include <utility>

#include "kernels/spmv/family.h"
#include "kernels/spmv/problem.h"
#include "tuner/plans/in_parts.h"
#include "tuner/plans/pick.h"

namespace rooftune {
namespace {

// What is decided for a matrix before anything is converted.
struct Decided {
    Picked picked;
    spmv::Choice choice;
    std::shared_ptr<const spmv::Layout> layout;
};

Decided decide(const Tuned::Inside& tuned, const SpmvRequest& request, DType dtype, Team* team) {
    const auto problem = spmv::SpmvProblem::from(request.matrix, dtype, {}, "matrix", team);
    Picked picked = pick(tuned, *make_spmv_family(), *problem, request.threads, request.state);
    const spmv::Choice choice = spmv::decode(picked.space, picked.variant, dtype);
    return {std::move(picked), choice, problem->layout(choice.format)};
}

}  // namespace

template <typename T>
SpmvProduct<T>::SpmvProduct(const Tuned::Inside& tuned, const SpmvRequest& request, Team& team)
    : team_(&team), cols_(request.matrix.cols) {
    Decided decided = decide(tuned, request, kDType, &team);
    const Picked& picked = decided.picked;
    matrix_ = spmv::place_matrix(request.matrix, *decided.layout, kDType, decided.choice,
                                 picked.target.numa_nodes, team);
    product_.emplace(matrix_, decided.choice,
                     spmv::kernel_of(picked.space, picked.variant, picked.target, kDType), team);
    if (const std::int64_t more = spmv::Product::overhang(decided.choice.format, cols_); more > 0)
        longer_x_.resize(static_cast<std::size_t>(cols_ + more));
    variant_ = decided.choice;
    isa_ = choose_isa(picked.target.width_bits);
    choice_ = std::make_shared<PlanChoice>(std::move(decided.picked.choice));
}

template <typename T>
bool SpmvProduct<T>::is_rows() const {
    return matrix_->layout().key.format == spmv::Format::csr;
}

template <typename T>
void SpmvProduct<T>::run(const T* x, T* y) {
    if (!longer_x_.empty()) {
        std::copy_n(x, cols_, longer_x_.begin());
        x = longer_x_.data();
    }
    product_->run(x, y);
    if (viewed_) add_unseen(T{1}, {x, 1, 0}, {y, 1, 0}, 1);
}

template <typename T>
void SpmvProduct<T>::view_values(const T* value) {
    matrix_->view_values(value);
    product_->follow_values();
    viewed_ = value;
}

template <typename T>
void SpmvProduct<T>::add_unseen(T alpha, const spmv::Vectors<const T>& x, const spmv::Vectors<T>& y,
                                std::int64_t count) const {
    const T* value = viewed_ + matrix_->seen_steps();
    for (const spmv::PlacedMatrix::Place& place : matrix_->unseen()) {
        const T factor = alpha * *value++;
        for (std::int64_t j = 0; j < count; ++j) *y.at(place.row, j) += factor * *x.at(place.column, j);
    }
}

template <typename T>
void SpmvProduct<T>::run(T alpha, const T* x, T beta, T* y, std::vector<T>& sum) {
    const std::int64_t rows = matrix_->layout().rows;
    if (alpha == T{0}) {
        scale(beta, y, rows, team_);
        return;
    }
    if (beta == T{0}) {
        run(x, y);
        if (alpha == T{1}) return;
        in_parts(team_, rows, [=](std::int64_t first, std::int64_t end) {
            for (std::int64_t i = first; i < end; ++i) y[i] *= alpha;
        });
        return;
    }
    sum.resize(static_cast<std::size_t>(rows));
    run(x, sum.data());
    const T* const products = sum.data();
    in_parts(team_, rows, [=](std::int64_t first, std::int64_t end) {
        for (std::int64_t i = first; i < end; ++i) y[i] = alpha * products[i] + beta * y[i];
    });
}

template <typename T>
void SpmvProduct<T>::run(std::int64_t count, T alpha, const spmv::Vectors<const T>& x, T beta,
                         const spmv::Vectors<T>& y, std::vector<T>& sum) {
    if (x.element_stride == 1 && y.element_stride == 1 &&
        (count == 1 || (count == 2 && two_are_faster_alone()))) {
        for (std::int64_t j = 0; j < count; ++j) run(alpha, x.from(j).first, beta, y.from(j).first, sum);
        return;
    }
    if (!of_several_) of_several_.emplace(matrix_, cols_, variant_, isa_, *team_);
    of_several_->run(count, alpha, x, beta, y);
    if (viewed_) add_unseen(alpha, x, y, count);
}

// Where the matrix stays in a cache, kernels of chunks and blocks, with a vector over rows, are faster one
// after the other: of a stiffness matrix of 290 000 entries in blocks of 3x3 in 0.82 of the time on a Zen 3.
// Two floats fill half of the narrowest register: so are those of SELL beyond the caches (27 entries a row,
// 110^3: 0.93).
template <typename T>
bool SpmvProduct<T>::two_are_faster_alone() const {
    constexpr std::int64_t kInCaches = std::int64_t{32} << 20;
    const spmv::Format format = variant_.format.format;
    if (format == spmv::Format::csr) return false;
    return (kDType == DType::f32 && format == spmv::Format::sell) || matrix_->bytes().total() < kInCaches;
}

template <typename T>
std::size_t SpmvProduct<T>::memory_bytes() const {
    return matrix_->memory_bytes() + longer_x_.size() * sizeof(T) +
           (of_several_ ? of_several_->memory_bytes() : 0);
}

template <typename T>
std::size_t SpmvProduct<T>::memory_bytes(const Tuned::Inside& tuned, const SpmvRequest& request,
                                         bool& is_rows) {
    const Decided decided = decide(tuned, request, kDType, nullptr);
    const spmv::FormatKey& format = decided.choice.format;
    is_rows = format.format == spmv::Format::csr;
    const std::int64_t more = spmv::Product::overhang(format, request.matrix.cols);
    const std::size_t longer_x = more > 0 ? static_cast<std::size_t>(request.matrix.cols + more) : 0;
    // As a plan has it: a copy, which is no larger than it must be.
    return spmv::PlacedMatrix::memory_bytes(spmv::Layout(*decided.layout), kDType) + longer_x * sizeof(T);
}

template <typename T>
void SpmvProduct<T>::scale(T beta, T* y, std::int64_t length, Team* team) {
    if (beta == T{1}) return;
    in_parts(team, length, [=](std::int64_t first, std::int64_t end) {
        if (beta == T{0}) {
            std::fill(y + first, y + end, T{0});
        } else {
            for (std::int64_t i = first; i < end; ++i) y[i] *= beta;
        }
    });
}

spmv::Csr transposed_of(const spmv::CsrView& a) {
    spmv::Csr t;
    t.rows = a.cols;
    t.cols = a.rows;
    t.row_begin.assign(static_cast<std::size_t>(a.cols) + 1, 0);
    for (const std::uint32_t column : a.column) ++t.row_begin[std::size_t{column} + 1];
    for (std::size_t i = 1; i < t.row_begin.size(); ++i) t.row_begin[i] += t.row_begin[i - 1];
    t.column.resize(a.column.size());
    t.value.resize(a.column.size());
    std::vector<std::int64_t> next(t.row_begin.begin(), t.row_begin.end() - 1);
    for (std::int64_t row = 0; row < a.rows; ++row) {
        const std::int64_t end = a.row_begin[static_cast<std::size_t>(row) + 1];
        for (std::int64_t k = a.row_begin[static_cast<std::size_t>(row)]; k < end; ++k) {
            const auto from = static_cast<std::size_t>(k);
            const auto to = static_cast<std::size_t>(next[a.column[from]]++);
            t.column[to] = static_cast<std::uint32_t>(row);
            t.value[to] = a.value[from];
        }
    }
    return t;
}

template class SpmvProduct<float>;
template class SpmvProduct<double>;

}  // namespace rooftune
