// What all products of others share: the operands as our variants have them, and the check of an answer.
#pragma once

#include <memory>
#include <vector>

#include "kernels/matmul/fill.h"
#include "kernels/matmul/oracle.h"
#include "kernels/matmul/problem.h"
#include "kernels/runtime/memory.h"
#include "tests/peers/harness/arm.h"

namespace rooftune::peers {

/// C = α·op(A)·op(B) + β·C, row-major. run() is the library's.
template <typename T>
class ProductSubject : public Subject {
public:
    explicit ProductSubject(const ProblemSpec& spec)
        : problem_(matmul::MatmulProblem::load(spec)),
          a_(bytes(problem_->m(), problem_->k())),
          b_(bytes(problem_->k(), problem_->n())),
          c_(bytes(problem_->m(), problem_->n())) {}

    Correctness check(std::uint64_t seed) final {
        fill(a_, matmul::Operand::a, seed);
        fill(b_, matmul::Operand::b, seed);
        fill(c_, matmul::Operand::c, seed);
        run();
        const auto found = c_.view<T>();
        return judge(std::vector<double>(found.begin(), found.end()),
                     matmul::make_oracle(*problem_, seed, nullptr));
    }

protected:
    const matmul::MatmulProblem& problem() const { return *problem_; }
    const T* a() const { return a_.as<T>(); }
    const T* b() const { return b_.as<T>(); }
    T* c() const { return c_.as<T>(); }

private:
    static std::size_t bytes(std::int64_t rows, std::int64_t cols) {
        return static_cast<std::size_t>(rows * cols) * sizeof(T);
    }
    static void fill(Buffer& buffer, matmul::Operand operand, std::uint64_t seed) {
        const auto data = buffer.view<T>();
        matmul::fill_slice(data.data(), operand, seed, 0, static_cast<std::int64_t>(data.size()));
    }

    std::unique_ptr<matmul::MatmulProblem> problem_;
    Buffer a_, b_, c_;  ///< huge pages, as our variants have them
};

/// The subject of the problem's element type: `Of<double>` or `Of<float>`, made of the spec and what else it
/// takes.
template <template <typename> class Of, typename... Arguments>
std::unique_ptr<Subject> product_subject(const ProblemSpec& spec, const Arguments&... arguments) {
    if (matmul::MatmulProblem::load(spec)->dtype() == DType::f32)
        return std::make_unique<Of<float>>(spec, arguments...);
    return std::make_unique<Of<double>>(spec, arguments...);
}

}  // namespace rooftune::peers
