// What all sparse products of others share: the matrix as they take it, with 32-bit row starts and columns,
// both vectors, and the check of an answer.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "kernels/runtime/error.h"
#include "kernels/runtime/memory.h"
#include "kernels/spmv/oracle.h"
#include "kernels/spmv/problem.h"
#include "tests/peers/harness/arm.h"

namespace rooftune::peers {

/// Compressed rows in arrays on huge pages, as our variants have them.
template <typename T>
struct PeerMatrix {
    explicit PeerMatrix(const spmv::SpmvProblem& problem)
        : rows(narrow(problem.matrix().rows)),
          cols(narrow(problem.matrix().cols)),
          stored(narrow(problem.matrix().stored())),
          begin(sizeof(int) * (static_cast<std::size_t>(rows) + 1)),
          column(sizeof(int) * static_cast<std::size_t>(stored)),
          value(sizeof(T) * static_cast<std::size_t>(stored)) {
        const spmv::CsrView& a = problem.matrix();
        std::transform(a.row_begin.begin(), a.row_begin.end(), begin.as<int>(),
                       [](std::int64_t at) { return static_cast<int>(at); });
        std::transform(a.column.begin(), a.column.end(), column.as<int>(),
                       [](std::uint32_t c) { return static_cast<int>(c); });
        std::transform(a.value.begin(), a.value.end(), value.as<T>(),
                       [](double v) { return static_cast<T>(v); });
    }

    int rows, cols, stored;
    Buffer begin, column, value;  ///< rows + 1, stored and stored elements

private:
    static int narrow(std::int64_t count) {
        if (count > std::numeric_limits<int>::max() - 1)
            throw InputError("other people's code counts with 32 bits here; take a smaller matrix");
        return static_cast<int>(count);
    }
};

/// y = A·x by somebody else. run() is the implementation's.
template <typename T>
class SparseSubject : public Subject {
public:
    explicit SparseSubject(const ProblemSpec& spec)
        : problem_(spmv::SpmvProblem::load(spec)),
          matrix_(*problem_),
          x_(sizeof(T) * static_cast<std::size_t>(matrix_.cols)),
          y_(sizeof(T) * static_cast<std::size_t>(matrix_.rows)) {
        fill(0);
    }

    Correctness check(std::uint64_t seed) final {
        fill(seed);
        run();
        const auto found = y_.view<T>();
        return judge(std::vector<double>(found.begin(), found.end()),
                     spmv::make_oracle(problem_->matrix(), problem_->dtype(), seed));
    }

protected:
    PeerMatrix<T>& matrix() { return matrix_; }
    const T* x() const { return x_.as<T>(); }
    T* y() const { return y_.as<T>(); }

private:
    void fill(std::uint64_t seed) {
        for (int i = 0; i < matrix_.cols; ++i) x_.as<T>()[i] = static_cast<T>(spmv::input_element(seed, i));
        // What is not written is seen.
        std::fill_n(y_.as<T>(), matrix_.rows, std::numeric_limits<T>::quiet_NaN());
    }

    std::unique_ptr<spmv::SpmvProblem> problem_;
    PeerMatrix<T> matrix_;
    Buffer x_, y_;
};

/// An arm of the problem's element type: `Of<double>` or `Of<float>`, made of the spec and the processors.
template <template <typename> class Of>
Arm sparse_arm(std::string name, const ProblemSpec& spec) {
    Arm arm;
    arm.name = std::move(name);
    arm.make = [spec](const std::vector<int>& cpus) -> std::unique_ptr<Subject> {
        const auto dtype = spec.find("dtype");
        if (dtype != spec.end() && dtype->second == "f32") return std::make_unique<Of<float>>(spec, cpus);
        return std::make_unique<Of<double>>(spec, cpus);
    };
    return arm;
}

}  // namespace rooftune::peers
