// What a right answer is: the triple loop in double, and the error that rounding explains.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "kernels/contract/family.h"
#include "kernels/matmul/problem.h"
#include "kernels/runtime/team.h"

namespace rooftune::matmul {

/// C = alpha·op(A)·op(B) + beta·C for input_element(seed, …), row-major, in double, with inputs and
/// factors rounded to the problem's type first. Tolerance of element (i, j), with
/// S = |alpha|·‖A_i‖·‖B_j‖ + |beta|·|C_ij| (by Cauchy-Schwarz at least |alpha|(|A||B|)_ij + …):
///   γ_{k+4}·S with u of the type: any order of summation, fused or not, alpha applied to a factor, to
///   partial sums or to the sum (Higham, Accuracy and Stability of Numerical Algorithms, section 3);
/// + γ_{k+4}·S with u of double, for the reference's own rounding;
/// + (k + 4)·(least subnormal)·(1 + |alpha|), for results that underflow.
/// `team` may be null: then the calling thread does it alone.
Oracle make_oracle(const MatmulProblem& problem, std::uint64_t seed, Team* team);

/// The last few oracles of one problem.
class Oracles {
public:
    explicit Oracles(const MatmulProblem& problem) : problem_(problem) {}
    /// Valid until two other seeds were asked for.
    const Oracle& at(std::uint64_t seed, Team* team);

private:
    static constexpr std::size_t kKept = 3;
    struct Kept {
        std::uint64_t seed = 0;
        Oracle oracle;
    };
    MatmulProblem problem_;
    std::deque<Kept> kept_;
};

/// The worst of elements begin … end−1 of a whole answer at `found`, laid out as the oracle is.
template <typename T>
Worst worst_of(const T* found, const Oracle& oracle, std::size_t begin, std::size_t end) {
    Worst worst;
    for (std::size_t i = begin; i < end; ++i) {
        const auto value = static_cast<double>(found[i]);
        const double error = error_of(value, oracle.expected[i], oracle.tolerance[i]);
        if (error > worst.error || i == begin)
            worst = {error, i, oracle.expected[i], oracle.tolerance[i], value};
    }
    return worst;
}

}  // namespace rooftune::matmul
