#include "tuner/plans/matmul_plan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/matmul/family.h"
#include "kernels/matmul/product.h"
#include "kernels/runtime/participants.h"
#include "tuner/plans/matmul_storage.h"
#include "tuner/plans/on_lent_threads.h"
#include "tuner/plans/pick.h"
#include "tuner/plans/workers_inside.h"
#include "tuner/plans/wrong_use.h"

namespace rooftune {
namespace {

using matmul::MatmulProblem;

// The shortest text that reads back as the same number.
std::string exact_text(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

// A size of 0 is no problem to tune; what else there is to check is checked with a 1 there.
ProblemSpec spec_of(const MatmulShape& shape, DType dtype) {
    const auto side = [](std::int64_t size) { return std::to_string(std::max<std::int64_t>(size, 1)); };
    return {{"m", side(shape.m)},
            {"n", side(shape.n)},
            {"k", side(shape.k)},
            {"dtype", std::string(to_text(dtype))},
            {"alpha", exact_text(shape.alpha)},
            {"beta", exact_text(shape.beta)},
            {"transa", shape.transpose_a ? "yes" : "no"},
            {"transb", shape.transpose_b ? "yes" : "no"}};
}

template <typename T>
constexpr DType dtype_of() {
    return sizeof(T) == 8 ? DType::f64 : DType::f32;
}

// The same product with other factors. Time depends on whether C is read, so those come first that agree.
std::vector<Difference> other_factors(const MatmulProblem& mine) {
    const auto with_factors = [&mine](const TuneResult& r, bool alike) -> std::string {
        std::unique_ptr<MatmulProblem> other;
        try {
            other = MatmulProblem::load(r.problem);
        } catch (const InputError&) {
            return "";  // of a version with other keys
        }
        const bool same_sizes = other->m() == mine.m() && other->n() == mine.n() && other->k() == mine.k() &&
                                other->dtype() == mine.dtype() &&
                                other->transpose_a() == mine.transpose_a() &&
                                other->transpose_b() == mine.transpose_b();
        const bool both_read_c = (other->beta() == 0.0) == (mine.beta() == 0.0);
        if (!same_sizes || both_read_c != alike) return "";
        return "with alpha " + exact_text(other->alpha()) + " and beta " + exact_text(other->beta());
    };
    return {[=](const TuneResult& r) { return with_factors(r, true); },
            [=](const TuneResult& r) { return with_factors(r, false); }};
}

// A shape that was checked, and the variant for it; none where nothing is multiplied.
struct ChosenProduct {
    MatmulStorage storage;
    std::unique_ptr<MatmulProblem> problem;
    std::shared_ptr<Workers> workers;
    std::optional<Picked> picked;
    PlanChoice choice;

    matmul::Choice variant() const { return matmul::decode(picked->space, picked->variant, *problem); }
    Isa isa() const { return choose_isa(picked->target.width_bits); }
};

template <typename T>
ChosenProduct chosen_product(const Tuned& tuned, const MatmulShape& shape, const PlanOptions& options) {
    ChosenProduct made;
    made.storage = storage_of(shape);
    made.problem = MatmulProblem::load(spec_of(row_major(shape), dtype_of<T>()));
    if (shape.m == 0 || shape.n == 0 || shape.k == 0) {
        made.choice.why = shape.k == 0 && shape.m > 0 && shape.n > 0
                              ? "k is 0: C is scaled by beta"
                              : "C has no elements: there is nothing to do";
        made.choice.variant = "nothing to multiply";
        return made;
    }
    made.workers = workers_of(options);
    const auto family = make_matmul_family();
    made.picked = pick(tuned.inside(), *family, *made.problem, made.workers->size(), options.state,
                       other_factors(*made.problem));
    made.choice = std::move(made.picked->choice);
    return made;
}

}  // namespace

template <typename T>
struct ROOFTUNE_HIDDEN MatmulPlan<T>::Inside {
    /// The matrices of one product.
    struct Matrices {
        const T* a;
        const T* b;
        T* c;
    };

    MatmulShape shape{};
    MatmulStorage storage{};
    PlanChoice choice{};
    std::shared_ptr<Workers> workers{};
    std::optional<matmul::Product<T>> product{};  ///< none where nothing is multiplied
    OneAtATime one_run{};
    std::optional<Participants> participants{};

    int threads() const { return product ? product->threads() : 1; }

    /// Bytes from the first element of a matrix to behind its last one: what a run without batch asks first.
    std::uintptr_t a_extent = 0, b_extent = 0, c_extent = 0;

    void take_extents() {
        const auto extent = [](const MatrixStorage& matrix) {
            return static_cast<std::uintptr_t>(matrix.at(nullptr, sizeof(T)).extent());
        };
        a_extent = extent(storage.a);
        b_extent = extent(storage.b);
        c_extent = extent(storage.c);
    }

    /// Whether nothing can be wrong with the matrices of a product: for small ones a closer look takes a
    /// tenth of the time.
    bool are_plainly_right(const Matrices& of) const {
        const auto a = reinterpret_cast<std::uintptr_t>(of.a), b = reinterpret_cast<std::uintptr_t>(of.b),
                   c = reinterpret_cast<std::uintptr_t>(of.c);
        // A difference below 0 is a large one.
        return of.a != nullptr && of.b != nullptr && of.c != nullptr && c - a >= a_extent &&
               a - c >= c_extent && c - b >= b_extent && b - c >= c_extent;
    }

    bool c_is_empty() const { return storage.c.lines == 0 || storage.c.length == 0; }
    bool only_scales(T alpha) const { return !product || alpha == T{0}; }

    static void check_factors(T alpha, T beta) {
        if (std::isfinite(alpha) && std::isfinite(beta)) return;
        for (const auto& [name, factor] : {std::pair{"alpha", alpha}, std::pair{"beta", beta}}) {
            if (!std::isfinite(factor))
                throw InputError(std::string("matmul: ") + name + " is " +
                                 exact_text(static_cast<double>(factor)) + "; give a finite number");
        }
    }

    void check(const Matrices& of, T alpha, std::int64_t number) const {
        if (are_plainly_right(of)) return;
        const StoredRows c = storage.c.at(of.c, sizeof(T));
        check_matrix(c, "C", number);
        if (only_scales(alpha)) return;
        const StoredRows a = storage.a.at(of.a, sizeof(T)), b = storage.b.at(of.b, sizeof(T));
        check_matrix(a, "A", number);
        check_matrix(b, "B", number);
        check_apart_from_c(a, "A", c, number);
        check_apart_from_c(b, "B", c, number);
    }

    void scale(T beta, T* c) const {
        if (beta == T{1}) return;
        for (std::int64_t line = 0; line < storage.c.lines; ++line) {
            T* const to = c + line * storage.c.pitch;
            if (beta == T{0}) {
                std::fill_n(to, storage.c.length, T{0});
            } else {
                for (std::int64_t i = 0; i < storage.c.length; ++i) to[i] *= beta;
            }
        }
    }

    void multiply(T alpha, const Matrices& of, T beta) {
        matmul::ProductArguments<T> arguments{of.a, storage.a.pitch, of.b,  storage.b.pitch,
                                              of.c, storage.c.pitch, alpha, beta};
        if (shape.column_major) {
            std::swap(arguments.a, arguments.b);
            std::swap(arguments.lda, arguments.ldb);
        }
        product->run(arguments);
    }

    /// One product, with factors that are finite.
    void run(T alpha, const Matrices& of, T beta) {
        if (c_is_empty()) return;
        check(of, alpha, kNoBatch);
        if (only_scales(alpha)) {
            scale(beta, of.c);
            return;
        }
        const auto alone = workers->inside().lock(&one_run);
        multiply(alpha, of, beta);
    }

    /// The same with the shape's factors, unchecked, for who has the plan alone.
    void run_alone(const Matrices& of) {
        const auto alpha = static_cast<T>(shape.alpha), beta = static_cast<T>(shape.beta);
        if (c_is_empty()) return;
        if (only_scales(alpha)) {
            scale(beta, of.c);
        } else {
            multiply(alpha, of, beta);
        }
    }
    void check_alone(const Matrices& of) const {
        if (!c_is_empty()) check(of, static_cast<T>(shape.alpha), kNoBatch);
    }

    /// `count` products of the matrices at(0), at(1), ….
    template <typename At>
    void run_all(std::int64_t count, T alpha, T beta, const At& at) {
        for (std::int64_t i = 0; i < count; ++i) check(at(i), alpha, i);
        if (only_scales(alpha)) {
            for (std::int64_t i = 0; i < count; ++i) scale(beta, at(i).c);
            return;
        }
        const auto alone = workers->inside().lock(&one_run);
        for (std::int64_t i = 0; i < count; ++i) multiply(alpha, at(i), beta);
    }
};

template <typename T>
MatmulPlan<T>::MatmulPlan(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
template <typename T>
MatmulPlan<T>::MatmulPlan(MatmulPlan&&) noexcept = default;
template <typename T>
MatmulPlan<T>& MatmulPlan<T>::operator=(MatmulPlan&&) noexcept = default;
template <typename T>
MatmulPlan<T>::~MatmulPlan() = default;

template <typename T>
void MatmulPlan<T>::run(const T* a, const T* b, T* c) {
    Inside& in = held(inside_);
    in.run(static_cast<T>(in.shape.alpha), {a, b, c}, static_cast<T>(in.shape.beta));
}

template <typename T>
void MatmulPlan<T>::run(T alpha, const T* a, const T* b, T beta, T* c) {
    Inside& in = held(inside_);
    in.check_factors(alpha, beta);
    in.run(alpha, {a, b, c}, beta);
}

template <typename T>
void MatmulPlan<T>::run_part(int part, int parts, const T* a, const T* b, T* c) {
    Inside& in = held(inside_);
    run_part_of(in, part, parts, [&] {
        in.check_alone({a, b, c});
        in.run_alone({a, b, c});
    });
}

template <typename T>
void MatmulPlan<T>::run_on(const PlanExecution& execution, const T* a, const T* b, T* c) {
    Inside& in = held(inside_);
    in.check_alone({a, b, c});
    run_by(in, execution, [&] { in.run_alone({a, b, c}); });
}

template <typename T>
void MatmulPlan<T>::run_batch(std::int64_t count, T alpha, const T* a, std::int64_t stride_a, const T* b,
                              std::int64_t stride_b, T beta, T* c, std::int64_t stride_c) {
    Inside& in = held(inside_);
    in.check_factors(alpha, beta);
    check_strides(count, stride_a, stride_b, stride_c);
    if (in.c_is_empty() || count == 0) return;
    const auto element = static_cast<std::int64_t>(sizeof(T));
    check_matrix(in.storage.c.at(c, sizeof(T)), "C", 0);
    check_results_apart(in.storage.c.at(c, sizeof(T)), stride_c * element, count);
    // With alpha 0 there may be no A and B at all, to which nothing can be added.
    const bool used = !in.only_scales(alpha);
    if (used) {
        check_matrix(in.storage.a.at(a, sizeof(T)), "A", 0);
        check_matrix(in.storage.b.at(b, sizeof(T)), "B", 0);
    }
    in.run_all(count, alpha, beta, [&](std::int64_t i) {
        return used ? typename Inside::Matrices{a + i * stride_a, b + i * stride_b, c + i * stride_c}
                    : typename Inside::Matrices{nullptr, nullptr, c + i * stride_c};
    });
}

template <typename T>
void MatmulPlan<T>::run_batch(std::int64_t count, T alpha, const T* const* a, const T* const* b, T beta,
                              T* const* c) {
    Inside& in = held(inside_);
    in.check_factors(alpha, beta);
    check_strides(count, 0, 0, 0);
    if (in.c_is_empty() || count == 0) return;
    const bool used = !in.only_scales(alpha);
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T*);
    check_given(c, bytes, "matmul: the list of C");
    if (used) {
        check_given(a, bytes, "matmul: the list of A");
        check_given(b, bytes, "matmul: the list of B");
    }
    for (std::int64_t i = 0; i < count; ++i) check_matrix(in.storage.c.at(c[i], sizeof(T)), "C", i);
    check_results_apart(in.storage.c, c, count);
    in.run_all(count, alpha, beta, [&](std::int64_t i) {
        return used ? typename Inside::Matrices{a[i], b[i], c[i]}
                    : typename Inside::Matrices{nullptr, nullptr, c[i]};
    });
}

template <typename T>
std::size_t MatmulPlan<T>::memory_bytes() const {
    const Inside& in = held(inside_);
    return in.product ? in.product->buffer_bytes() : 0;
}
template <typename T>
const PlanChoice& MatmulPlan<T>::choice() const {
    return held(inside_).choice;
}
template <typename T>
const MatmulShape& MatmulPlan<T>::shape() const {
    return held(inside_).shape;
}

template <typename T>
MatmulPlan<T> matmul_plan(const Tuned& tuned, const MatmulShape& shape, const PlanOptions& options) {
    ChosenProduct chosen = chosen_product<T>(tuned, shape, options);
    auto made = std::make_unique<typename MatmulPlan<T>::Inside>();
    made->shape = shape;
    made->storage = chosen.storage;
    made->take_extents();
    made->choice = std::move(chosen.choice);
    made->workers = std::move(chosen.workers);
    if (chosen.picked) {
        Workers::Inside& by = made->workers->inside();
        const auto alone = by.lock();
        made->product.emplace(*chosen.problem, chosen.variant(), chosen.isa(), by.team);
    }
    made->participants.emplace(made->threads());
    return MatmulPlan<T>(std::move(made));
}

template <typename T>
std::size_t matmul_memory_bytes(const Tuned& tuned, const MatmulShape& shape, const PlanOptions& options) {
    const ChosenProduct chosen = chosen_product<T>(tuned, shape, options);
    if (!chosen.picked) return 0;
    return matmul::Product<T>::buffer_bytes(*chosen.problem, chosen.variant(), chosen.isa());
}

template class MatmulPlan<float>;
template class MatmulPlan<double>;
template MatmulPlan<float> matmul_plan(const Tuned&, const MatmulShape&, const PlanOptions&);
template MatmulPlan<double> matmul_plan(const Tuned&, const MatmulShape&, const PlanOptions&);
template std::size_t matmul_memory_bytes<float>(const Tuned&, const MatmulShape&, const PlanOptions&);
template std::size_t matmul_memory_bytes<double>(const Tuned&, const MatmulShape&, const PlanOptions&);

}  // namespace rooftune
