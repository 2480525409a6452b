#include "kernels/matmul/oracle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/matmul/fill.h"
#include "kernels/matmul/geometry.h"
#include "kernels/matmul/reference_product.h"

namespace rooftune::matmul {
namespace {

/// n·u/(1 − n·u).
double gamma(double n, double u) {
    return n * u / (1.0 - n * u);
}

double rounded(double value, DType dtype) {
    return dtype == DType::f32 ? static_cast<double>(static_cast<float>(value)) : value;
}

/// Calls body(part of 0 … count−1, thread) on each thread of the team, or once with all of it.
template <typename Body>
void in_parts(Team* team, std::int64_t count, Body&& body) {
    if (!team) {
        body(Range{0, count}, 0);
        return;
    }
    team->run(team->size(), [&](int thread) { body(part(count, team->size(), thread), thread); });
}

/// op(X), rows × cols, row-major.
std::vector<double> operand(Operand which, std::int64_t rows, std::int64_t cols, bool transposed, DType dtype,
                            std::uint64_t seed, Team* team) {
    std::vector<double> x(static_cast<std::size_t>(rows * cols));
    in_parts(team, rows * cols, [&](const Range& mine, int) {
        for (std::int64_t at = mine.begin; at < mine.end; ++at) {
            const std::int64_t stored = transposed ? at % cols * rows + at / cols : at;
            x[static_cast<std::size_t>(at)] = rounded(input_element(seed, which, stored), dtype);
        }
    });
    return x;
}

}  // namespace

Oracle make_oracle(const MatmulProblem& problem, std::uint64_t seed, Team* team) {
    const DType dtype = problem.dtype();
    const auto m = static_cast<std::size_t>(problem.m());
    const auto n = static_cast<std::size_t>(problem.n());
    const auto k = static_cast<std::size_t>(problem.k());
    const double alpha = problem.alpha();
    const double beta = problem.beta();
    const std::vector<double> a =
        operand(Operand::a, problem.m(), problem.k(), problem.transpose_a(), dtype, seed, team);
    const std::vector<double> b =
        operand(Operand::b, problem.k(), problem.n(), problem.transpose_b(), dtype, seed, team);
    std::vector<double> row_norm(m, 0.0), column_norm(n, 0.0);
    in_parts(team, problem.m(), [&](const Range& mine, int) {
        for (auto i = static_cast<std::size_t>(mine.begin); i < static_cast<std::size_t>(mine.end); ++i) {
            for (std::size_t p = 0; p < k; ++p) row_norm[i] += a[i * k + p] * a[i * k + p];
            row_norm[i] = std::abs(alpha) * std::sqrt(row_norm[i]);
        }
    });
    in_parts(team, problem.n(), [&](const Range& mine, int) {
        const auto begin = static_cast<std::size_t>(mine.begin), end = static_cast<std::size_t>(mine.end);
        for (std::size_t p = 0; p < k; ++p) {
            for (std::size_t j = begin; j < end; ++j) column_norm[j] += b[p * n + j] * b[p * n + j];
        }
        for (std::size_t j = begin; j < end; ++j) column_norm[j] = std::sqrt(column_norm[j]);
    });

    const bool f64 = dtype == DType::f64;
    const double unit = f64 ? 0x1p-53 : 0x1p-24;
    const double least =
        f64 ? std::numeric_limits<double>::denorm_min() : std::numeric_limits<float>::denorm_min();
    const auto operations = static_cast<double>(k + 4);
    // The norms are rounded themselves, by far less than one part in 2^20.
    const double relative = (gamma(operations, unit) + gamma(operations, 0x1p-53)) * (1.0 + 0x1p-20);
    const double absolute = operations * least * (1.0 + std::abs(alpha));

    Oracle oracle;
    oracle.expected.assign(m * n, 0.0);
    oracle.tolerance.assign(m * n, 0.0);
    const ReferenceProduct product(team ? team->size() : 1);
    const auto answer = [&](int thread, const Range& rows, const Range& columns) {
        product.add(thread, a, b, n, k, rows, columns, oracle.expected);
        for (auto i = static_cast<std::size_t>(rows.begin); i < static_cast<std::size_t>(rows.end); ++i) {
            for (auto j = static_cast<std::size_t>(columns.begin); j < static_cast<std::size_t>(columns.end);
                 ++j) {
                double was = 0.0;
                if (beta != 0.0) {
                    const auto index = static_cast<std::int64_t>(i * n + j);
                    was = beta * rounded(input_element(seed, Operand::c, index), dtype);
                }
                double& expected = oracle.expected[i * n + j];
                expected = alpha * expected + was;
                oracle.tolerance[i * n + j] =
                    relative * (row_norm[i] * column_norm[j] + std::abs(was)) + absolute;
            }
        }
    };
    // The longer side is cut; columns in eights, so that few cache lines are written by two threads.
    constexpr std::int64_t kLine = 8;
    if (problem.m() > problem.n()) {
        in_parts(team, problem.m(), [&](const Range& mine, int thread) {
            answer(thread, mine, {0, problem.n()});
        });
    } else {
        in_parts(team, ceil_div(problem.n(), kLine), [&](const Range& mine, int thread) {
            answer(thread, {0, problem.m()}, {kLine * mine.begin, std::min(kLine * mine.end, problem.n())});
        });
    }
    return oracle;
}

const Oracle& Oracles::at(std::uint64_t seed, Team* team) {
    const auto it = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return k.seed == seed; });
    if (it != kept_.end()) return it->oracle;
    if (kept_.size() >= kKept) kept_.pop_front();
    kept_.push_back({seed, make_oracle(problem_, seed, team)});
    return kept_.back().oracle;
}

}  // namespace rooftune::matmul
