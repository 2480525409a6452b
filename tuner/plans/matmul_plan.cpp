#include "tuner/plans/matmul_plan.h"

#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "kernels/matmul/family.h"
#include "kernels/matmul/product.h"
#include "kernels/runtime/participants.h"
#include "tuner/plans/on_lent_threads.h"
#include "tuner/plans/pick.h"
#include "tuner/plans/workers_inside.h"
#include "tuner/plans/wrong_use.h"

namespace rooftune {
namespace {

// The shortest text that reads back as the same number.
std::string exact_text(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

ProblemSpec spec_of(const MatmulShape& shape, DType dtype) {
    return {{"m", std::to_string(shape.m)},
            {"n", std::to_string(shape.n)},
            {"k", std::to_string(shape.k)},
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

}  // namespace

template <typename T>
struct ROOFTUNE_HIDDEN MatmulPlan<T>::Inside {
    Inside(const MatmulShape& of, PlanChoice how, std::shared_ptr<Workers> by, matmul::Product<T> made)
        : shape(of),
          choice(std::move(how)),
          workers(std::move(by)),
          product(std::move(made)),
          participants(std::in_place, product.threads()) {}

    int threads() const { return product.threads(); }

    void check(const T* a, const T* b, const T* c) const {
        const auto bytes = [](std::int64_t rows, std::int64_t cols) {
            return static_cast<std::size_t>(rows * cols) * sizeof(T);
        };
        const std::size_t a_bytes = bytes(shape.m, shape.k), b_bytes = bytes(shape.k, shape.n),
                          c_bytes = bytes(shape.m, shape.n);
        check_given(a, a_bytes, "matmul: A");
        check_given(b, b_bytes, "matmul: B");
        check_given(c, c_bytes, "matmul: C");
        check_apart(a, a_bytes, c, c_bytes, "matmul: A and C");
        check_apart(b, b_bytes, c, c_bytes, "matmul: B and C");
    }

    MatmulShape shape;
    PlanChoice choice;
    std::shared_ptr<Workers> workers;
    matmul::Product<T> product;
    OneAtATime one_run{};
    std::optional<Participants> participants;
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
    in.check(a, b, c);
    const auto alone = in.workers->inside().lock(&in.one_run);
    in.product.run(a, b, c);
}

template <typename T>
void MatmulPlan<T>::run_part(int part, int parts, const T* a, const T* b, T* c) {
    Inside& in = held(inside_);
    run_part_of(in, part, parts, [&] {
        in.check(a, b, c);
        in.product.run(a, b, c);
    });
}

template <typename T>
void MatmulPlan<T>::run_on(const PlanExecution& execution, const T* a, const T* b, T* c) {
    Inside& in = held(inside_);
    in.check(a, b, c);
    run_by(in, execution, [&] { in.product.run(a, b, c); });
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
    const auto problem = matmul::MatmulProblem::load(spec_of(shape, dtype_of<T>()));
    std::shared_ptr<Workers> workers = workers_of(options);
    const auto family = make_matmul_family();
    Picked picked = pick(tuned.inside(), *family, *problem, workers->size(), options.state);
    const matmul::Choice choice = matmul::decode(picked.space, picked.variant, *problem);
    Workers::Inside& by = workers->inside();
    const auto alone = by.lock();
    matmul::Product<T> product(*problem, choice, choose_isa(picked.target.width_bits), by.team);
    using Inside = typename MatmulPlan<T>::Inside;
    return MatmulPlan<T>(std::unique_ptr<Inside>(
        new Inside(shape, std::move(picked.choice), std::move(workers), std::move(product))));
}

template class MatmulPlan<float>;
template class MatmulPlan<double>;
template MatmulPlan<float> matmul_plan(const Tuned&, const MatmulShape&, const PlanOptions&);
template MatmulPlan<double> matmul_plan(const Tuned&, const MatmulShape&, const PlanOptions&);

}  // namespace rooftune
