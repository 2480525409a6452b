#include "tuner/plans/matmul_plan.h"

#include <charconv>
#include <string>
#include <utility>

#include "kernels/matmul/family.h"
#include "kernels/matmul/product.h"
#include "tuner/plans/pick.h"
#include "tuner/plans/workers_inside.h"

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
struct MatmulPlan<T>::Inside {
    MatmulShape shape;
    PlanChoice choice;
    std::shared_ptr<Workers> workers;
    matmul::Product<T> product;
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
    const std::lock_guard alone(inside_->workers->inside().one_run);
    inside_->product.run(a, b, c);
}

template <typename T>
const PlanChoice& MatmulPlan<T>::choice() const {
    return inside_->choice;
}
template <typename T>
const MatmulShape& MatmulPlan<T>::shape() const {
    return inside_->shape;
}

template <typename T>
MatmulPlan<T> matmul_plan(const Tuned& tuned, const MatmulShape& shape, const PlanOptions& options) {
    const auto problem = matmul::MatmulProblem::load(spec_of(shape, dtype_of<T>()));
    std::shared_ptr<Workers> workers = options.workers ? options.workers : Workers::shared(options.threads);
    const auto family = make_matmul_family();
    Picked picked = pick(tuned.inside(), *family, *problem, workers->size(), options.state);
    const matmul::Choice choice = matmul::decode(picked.space, picked.variant, *problem);
    Workers::Inside& inside = workers->inside();
    const std::lock_guard alone(inside.one_run);
    matmul::Product<T> product(*problem, choice, choose_isa(picked.target.width_bits), inside.team);
    return MatmulPlan<T>(std::make_unique<typename MatmulPlan<T>::Inside>(typename MatmulPlan<T>::Inside{
        shape, std::move(picked.choice), std::move(workers), std::move(product)}));
}

template class MatmulPlan<float>;
template class MatmulPlan<double>;
template MatmulPlan<float> matmul_plan(const Tuned&, const MatmulShape&, const PlanOptions&);
template MatmulPlan<double> matmul_plan(const Tuned&, const MatmulShape&, const PlanOptions&);

}  // namespace rooftune
