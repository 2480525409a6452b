#include "tuner/plans/spmv_plan.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/runtime/error.h"
#include "kernels/runtime/participants.h"
#include "tuner/plans/all_finite.h"
#include "tuner/plans/in_parts.h"
#include "tuner/plans/on_lent_threads.h"
#include "tuner/plans/several_vectors.h"
#include "tuner/plans/sparse_matrix_inside.h"
#include "tuner/plans/spmv_product.h"
#include "tuner/plans/workers_inside.h"
#include "tuner/plans/wrong_use.h"

namespace rooftune {
namespace {

template <typename T>
std::string not_finite() {
    return sizeof(T) == 4 ? " is too large for f32 (3.4e38); make the plan for double" : " is not finite";
}

template <typename T>
void check_range(std::span<const double> values) {
    const auto too_large = [](double v) { return !std::isfinite(static_cast<T>(v)); };
    const auto found = std::find_if(values.begin(), values.end(), too_large);
    if (found == values.end()) return;
    throw InputError("sparse matrix: the value of entry " + std::to_string(found - values.begin()) +
                     not_finite<T>());
}

// Each value that was given is finite, but in f32 it may not be, nor sums of several.
template <typename T>
void check_range(const SparseMatrix::Inside& matrix) {
    if (sizeof(T) == 4 || matrix.places) check_range<T>(matrix.csr.value);
}

template <typename T>
bool all_finite_by(Team& team, const T* value, std::int64_t length) {
    std::atomic<bool> all{true};
    in_parts(&team, length, [&](std::int64_t first, std::int64_t end) {
        if (!all_finite(value + first, end - first)) all = false;
    });
    return all;
}

// y = beta·y of all of them.
template <typename T>
void scale_several(T beta, T* y, const SeveralVectors& of_y, Team* team) {
    if (!of_y.side_by_side) {
        for (std::int64_t j = 0; j < of_y.number; ++j)
            SpmvProduct<T>::scale(beta, y + j * of_y.stride, of_y.length, team);
        return;
    }
    in_parts(team, of_y.length, [&](std::int64_t first, std::int64_t end) {
        for (std::int64_t i = first; i < end; ++i)
            SpmvProduct<T>::scale(beta, y + i * of_y.stride, of_y.number, nullptr);
    });
}

// The values as they are stored: those of one place added up, in the order given.
template <typename T>
std::vector<double> added_up(const EntryPlaces& places, std::int64_t stored, const T* value) {
    std::vector<double> sums(static_cast<std::size_t>(stored));
    for (std::size_t k = 0; k < places.size(); ++k)
        sums[static_cast<std::size_t>(places[k])] += static_cast<double>(value[k]);
    return sums;
}

template <typename T>
std::size_t capacity_bytes(const std::vector<T>& array) {
    return array.capacity() * sizeof(T);
}

// Of what a plan may share with the matrix.
std::size_t shared_bytes(const spmv::Csr* pattern, const EntryPlaces* places) {
    return (pattern ? capacity_bytes(pattern->row_begin) + capacity_bytes(pattern->column) : 0) +
           (places ? capacity_bytes(*places) : 0);
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
        check_viewed_apart(y, y_bytes);
    }

    /// From where results are written.
    void check_viewed_apart(const T* y, std::size_t y_bytes) const {
        if (product && product->viewed() != nullptr)
            check_apart(product->viewed(), static_cast<std::size_t>(stored) * sizeof(T), y, y_bytes,
                        "spmv: the values that the plan views and y");
    }

    /// For who has the plan alone.
    void run(const T* x, T* y) {
        if (stored == 0) {
            std::fill_n(y, rows, T{0});
            return;
        }
        product->run(x, y);
    }

    std::int64_t rows = 0, cols = 0, stored = 0;
    Tuned tuned{};  ///< for the plan of the transposed
    std::string state{};
    std::shared_ptr<Workers> workers{};
    std::shared_ptr<const spmv::Csr> kept_pattern{};  ///< none where the product is of compressed rows
    std::shared_ptr<const EntryPlaces> places{};      ///< none where entries are stored as they were given
    PlanChoice without_entries{};
    std::optional<SpmvProduct<T>> product{};  ///< none where the matrix has no entries
    std::optional<SpmvProduct<T>> of_transposed{};
    bool transposed_is_old = false;  ///< whether A has got other values since
    std::vector<T> sum{};            ///< of a run with beta
    OneAtATime one_run{};
    std::unique_ptr<Participants> participants{};
    /// Of the format that the plan had before it viewed values: programs may hold its texts.
    std::shared_ptr<const PlanChoice> former_choice{};

    /// The pattern, from wherever it is. `again` keeps it where it must be made.
    spmv::CsrView pattern(spmv::Csr& again) const {
        if (kept_pattern) return kept_pattern->view();
        again = product->pattern();
        return again.view();
    }

    SpmvProduct<T>& the_transposed() {
        if (of_transposed && !transposed_is_old && product->viewed() == nullptr) return *of_transposed;
        if (rows > std::numeric_limits<std::int32_t>::max())
            throw InputError("spmv: the transposed of a matrix of " + std::to_string(rows) +
                             " rows has as many columns, and at most 2^31 - 1 are possible");
        spmv::Csr again;
        spmv::CsrView a = pattern(again);
        const std::vector<double> values = product->values(a);
        a.value = values;
        const spmv::Csr t = transposed_of(a);
        if (of_transposed) {
            of_transposed->set_values(t.view(), t.value.data());
        } else {
            of_transposed.emplace(tuned.inside(), SpmvRequest{t.view(), workers->size(), state},
                                  workers->inside().team);
        }
        transposed_is_old = false;
        return *of_transposed;
    }

    std::int64_t given() const { return places ? static_cast<std::int64_t>(places->size()) : stored; }
    void check_count(std::int64_t count) const {
        if (count != given())
            throw InputError("spmv: " + std::to_string(count) + " values for a matrix that was made of " +
                             std::to_string(given()) + " entries; give one for each, in the same order");
    }
    void view(const T* value, std::int64_t count);

    /// On the threads of `execution`, or of the plan's own where there is none.
    void update(const T* value, std::int64_t count, const PlanExecution* execution);

    /// Does what nobody else may do to the plan meanwhile, on the threads of `execution`, or of the plan's
    /// own where there is none.
    template <typename Act>
    void alone_by(const PlanExecution* execution, Act&& act) {
        if (execution == nullptr) {
            const auto alone = workers->inside().lock(&one_run);
            act();
            return;
        }
        const std::unique_lock alone(one_run);
        ExecutorThreads threads(*execution, workers->inside().team.size());
        const Lending lending(&threads);
        act();
    }

    /// All runs but the plain one. `execution` as update() has it.
    void run(const PlanExecution* execution, bool transposed, bool side_by_side, std::int64_t columns,
             T alpha, const T* x, std::int64_t ldx, T beta, T* y, std::int64_t ldy);
};

template <typename T>
void SpmvPlan<T>::Inside::run(const PlanExecution* execution, bool transposed, bool side_by_side,
                              std::int64_t columns, T alpha, const T* x, std::int64_t ldx, T beta, T* y,
                              std::int64_t ldy) {
    const SeveralVectors of_x{columns, transposed ? rows : cols, ldx, side_by_side, "x"},
        of_y{columns, transposed ? cols : rows, ldy, side_by_side, "y"};
    of_x.check();
    of_y.check();
    const StoredRows written = of_y.rows(y, sizeof(T));
    check_given(y, static_cast<std::size_t>(written.extent()), "spmv: y");
    if (alpha != T{0}) {
        const StoredRows read = of_x.rows(x, sizeof(T));
        check_given(x, static_cast<std::size_t>(read.extent()), "spmv: x");
        if (have_common_bytes(read, written)) refuse_overlap("spmv: x and y");
    }
    check_viewed_apart(y, static_cast<std::size_t>(written.extent()));
    if (columns == 0 || of_y.length == 0) return;
    if (stored == 0) {
        scale_several<T>(beta, y, of_y, nullptr);
        return;
    }
    alone_by(execution, [&] {
        if (alpha == T{0}) {
            scale_several(beta, y, of_y, &workers->inside().team);
            return;
        }
        SpmvProduct<T>& by = transposed ? the_transposed() : *product;
        by.run(columns, alpha, of_x.vectors(x), beta, of_y.vectors(y), sum);
    });
}

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
    if (in.stored == 0) {
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
void SpmvPlan<T>::run(T alpha, const T* x, T beta, T* y) {
    Inside& in = held(inside_);
    in.run(nullptr, false, false, 1, alpha, x, std::max<std::int64_t>(1, in.cols), beta, y,
           std::max<std::int64_t>(1, in.rows));
}

template <typename T>
void SpmvPlan<T>::run_columns(std::int64_t columns, T alpha, const T* x, std::int64_t ldx, T beta, T* y,
                              std::int64_t ldy) {
    held(inside_).run(nullptr, false, false, columns, alpha, x, ldx, beta, y, ldy);
}

template <typename T>
void SpmvPlan<T>::run_transposed(T alpha, const T* x, T beta, T* y) {
    Inside& in = held(inside_);
    in.run(nullptr, true, false, 1, alpha, x, std::max<std::int64_t>(1, in.rows), beta, y,
           std::max<std::int64_t>(1, in.cols));
}

template <typename T>
void SpmvPlan<T>::run_transposed_columns(std::int64_t columns, T alpha, const T* x, std::int64_t ldx, T beta,
                                         T* y, std::int64_t ldy) {
    held(inside_).run(nullptr, true, false, columns, alpha, x, ldx, beta, y, ldy);
}

template <typename T>
void SpmvPlan<T>::run_interleaved(std::int64_t columns, T alpha, const T* x, std::int64_t ldx, T beta, T* y,
                                  std::int64_t ldy) {
    held(inside_).run(nullptr, false, true, columns, alpha, x, ldx, beta, y, ldy);
}

template <typename T>
void SpmvPlan<T>::run_transposed_interleaved(std::int64_t columns, T alpha, const T* x, std::int64_t ldx,
                                             T beta, T* y, std::int64_t ldy) {
    held(inside_).run(nullptr, true, true, columns, alpha, x, ldx, beta, y, ldy);
}

template <typename T>
void SpmvPlan<T>::run_several_on(const PlanExecution& execution, bool transposed, bool interleaved,
                                 std::int64_t columns, T alpha, const T* x, std::int64_t ldx, T beta, T* y,
                                 std::int64_t ldy) {
    held(inside_).run(&execution, transposed, interleaved, columns, alpha, x, ldx, beta, y, ldy);
}

template <typename T>
void SpmvPlan<T>::update_values(const T* value, std::int64_t count) {
    held(inside_).update(value, count, nullptr);
}

template <typename T>
void SpmvPlan<T>::update_values_on(const PlanExecution& execution, const T* value, std::int64_t count) {
    held(inside_).update(value, count, &execution);
}

template <typename T>
void SpmvPlan<T>::Inside::update(const T* value, std::int64_t count, const PlanExecution* execution) {
    check_count(count);
    check_given(value, static_cast<std::size_t>(count) * sizeof(T), "spmv: value");
    if (stored == 0) return;  // nothing was given
    const auto refuse = [&] {
        const T* const wrong = std::find_if(value, value + count, [](T v) { return !std::isfinite(v); });
        throw InputError("spmv: the value of entry " + std::to_string(wrong - value) +
                         " is not finite; the plan keeps the values that it has");
    };
    // Added up on one thread, which keeps nobody else from the team.
    std::vector<double> sums;
    if (places) {
        if (!all_finite(value, count)) refuse();
        sums = added_up(*places, stored, value);
        check_range<T>(sums);
    }
    Team& team = workers->inside().team;
    const auto replace = [&] {
        if (product->viewed() != nullptr)
            throw InputError(
                "spmv: this plan reads the program's own values (view_values()); write the new ones there");
        if (!places && !all_finite_by(team, value, count)) refuse();
        // Also where an executor leaves A with some new values.
        transposed_is_old = of_transposed.has_value();
        const spmv::CsrView order = kept_pattern ? kept_pattern->view() : spmv::CsrView{};
        if (places) {
            product->set_values(order, sums.data());
        } else {
            product->set_values(order, value);
        }
    };
    alone_by(execution, replace);
}

template <typename T>
void SpmvPlan<T>::view_values(const T* value, std::int64_t count) {
    held(inside_).view(value, count);
}

template <typename T>
void SpmvPlan<T>::Inside::view(const T* value, std::int64_t count) {
    check_count(count);
    check_given(value, static_cast<std::size_t>(count) * sizeof(T), "spmv: value");
    if (stored == 0) return;
    if (places)
        throw InputError(
            "spmv: the entries of this matrix were in no order, or several of one place, so that its values "
            "cannot stay where they are; hand over rows in ascending columns, or use update_values()");
    const auto alone = workers->inside().lock(&one_run);
    if (!product->is_rows()) {
        spmv::CsrView a = kept_pattern->view();
        // Never multiplied by.
        const std::vector<double> zeros(static_cast<std::size_t>(stored));
        a.value = zeros;
        SpmvProduct<T> by_rows(Tuned::Inside(), SpmvRequest{a, workers->size(), state},
                               workers->inside().team);
        if (!by_rows.is_rows()) throw std::logic_error("spmv: the default variant is not of rows");
        by_rows.say_why(
            "the program's values stay where they are, which takes compressed rows; the default variant, "
            "unmeasured");
        by_rows.view_values(value);
        auto parts = std::make_unique<Participants>(by_rows.threads());
        // What comes now does not throw.
        former_choice = product->shared_choice();
        product.emplace(std::move(by_rows));
        participants = std::move(parts);
        kept_pattern.reset();
    } else {
        product->view_values(value);
    }
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
    const Inside& in = held(inside_);
    return in.product ? in.product->choice() : in.without_entries;
}
template <typename T>
const PlanChoice& SpmvPlan<T>::transposed_choice() const {
    const Inside& in = held(inside_);
    if (!in.product) return in.without_entries;
    if (!in.of_transposed)
        throw InputError("spmv: nothing was chosen for the transposed yet; call run_transposed() first");
    return in.of_transposed->choice();
}

template <typename T>
std::size_t SpmvPlan<T>::memory_bytes() const {
    const Inside& in = held(inside_);
    std::size_t bytes =
        sizeof(Inside) + capacity_bytes(in.sum) + shared_bytes(in.kept_pattern.get(), in.places.get());
    if (in.product) bytes += in.product->memory_bytes();
    if (in.of_transposed) bytes += in.of_transposed->memory_bytes();
    return bytes;
}

template <typename T>
SpmvPlan<T> spmv_plan(const Tuned& tuned, const SparseMatrix& matrix, const PlanOptions& options) {
    auto made = std::make_unique<typename SpmvPlan<T>::Inside>();
    made->rows = matrix.rows();
    made->cols = matrix.cols();
    made->stored = matrix.stored();
    const SparseMatrix::Inside& from = matrix.inside();
    check_range<T>(from);
    if (made->stored == 0) {
        made->without_entries.why = "the matrix has no entries: y is set to zero";
        made->without_entries.variant = "nothing to multiply";
        made->participants = std::make_unique<Participants>(made->threads());
        return SpmvPlan<T>(std::move(made));
    }
    made->workers = workers_of(options);
    made->places = from.places;
    made->tuned = tuned;
    made->state = options.state;
    Workers::Inside& workers = made->workers->inside();
    const auto alone = workers.lock();
    made->product.emplace(tuned.inside(), SpmvRequest{from.csr, made->workers->size(), options.state},
                          workers.team);
    if (!made->product->is_rows()) made->kept_pattern = from.kept_pattern();
    made->participants = std::make_unique<Participants>(made->threads());
    return SpmvPlan<T>(std::move(made));
}

template <typename T>
std::size_t spmv_memory_bytes(const Tuned& tuned, const SparseMatrix& matrix, const PlanOptions& options) {
    const SparseMatrix::Inside& from = matrix.inside();
    check_range<T>(from);
    constexpr std::size_t kPlan = sizeof(typename SpmvPlan<T>::Inside);
    if (matrix.stored() == 0) return kPlan;
    bool is_rows = true;
    const std::size_t product = SpmvProduct<T>::memory_bytes(
        tuned.inside(), {from.csr, workers_of(options)->size(), options.state}, is_rows);
    return kPlan + product + (is_rows ? 0 : from.pattern_bytes()) +
           (from.places ? capacity_bytes(*from.places) : 0);
}

template class SpmvPlan<float>;
template class SpmvPlan<double>;
template SpmvPlan<float> spmv_plan(const Tuned&, const SparseMatrix&, const PlanOptions&);
template SpmvPlan<double> spmv_plan(const Tuned&, const SparseMatrix&, const PlanOptions&);
template std::size_t spmv_memory_bytes<float>(const Tuned&, const SparseMatrix&, const PlanOptions&);
template std::size_t spmv_memory_bytes<double>(const Tuned&, const SparseMatrix&, const PlanOptions&);

}  // namespace rooftune
