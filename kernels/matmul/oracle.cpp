#include "kernels/matmul/oracle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/matmul/fill.h"

namespace rooftune::matmul {
namespace {

/// n·u/(1 − n·u).
double gamma(double n, double u) {
    return n * u / (1.0 - n * u);
}

double rounded(double value, DType dtype) {
    return dtype == DType::f32 ? static_cast<double>(static_cast<float>(value)) : value;
}

/// op(X), rows × cols, row-major.
std::vector<double> operand(Operand which, std::int64_t rows, std::int64_t cols, bool transposed, DType dtype,
                            std::uint64_t seed) {
    std::vector<double> x;
    x.reserve(static_cast<std::size_t>(rows * cols));
    for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < cols; ++j) {
            x.push_back(rounded(input_element(seed, which, transposed ? j * rows + i : i * cols + j), dtype));
        }
    }
    return x;
}

}  // namespace

Oracle make_oracle(const MatmulProblem& problem, std::uint64_t seed) {
    const DType dtype = problem.dtype();
    const auto m = static_cast<std::size_t>(problem.m());
    const auto n = static_cast<std::size_t>(problem.n());
    const auto k = static_cast<std::size_t>(problem.k());
    const double alpha = problem.alpha();
    const double beta = problem.beta();
    const std::vector<double> a =
        operand(Operand::a, problem.m(), problem.k(), problem.transpose_a(), dtype, seed);
    const std::vector<double> b =
        operand(Operand::b, problem.k(), problem.n(), problem.transpose_b(), dtype, seed);

    std::vector<double> column_norm(n, 0.0);
    for (std::size_t p = 0; p < k; ++p) {
        for (std::size_t j = 0; j < n; ++j) column_norm[j] += b[p * n + j] * b[p * n + j];
    }
    for (double& norm : column_norm) norm = std::sqrt(norm);

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
    for (std::size_t i = 0; i < m; ++i) {
        double* const row = oracle.expected.data() + i * n;
        double row_norm = 0.0;
        for (std::size_t p = 0; p < k; ++p) {
            const double factor = a[i * k + p];
            row_norm += factor * factor;
            for (std::size_t j = 0; j < n; ++j) row[j] += factor * b[p * n + j];
        }
        row_norm = std::abs(alpha) * std::sqrt(row_norm);
        for (std::size_t j = 0; j < n; ++j) {
            double was = 0.0;
            if (beta != 0.0) {
                const auto index = static_cast<std::int64_t>(i * n + j);
                was = beta * rounded(input_element(seed, Operand::c, index), dtype);
            }
            row[j] = alpha * row[j] + was;
            oracle.tolerance[i * n + j] = relative * (row_norm * column_norm[j] + std::abs(was)) + absolute;
        }
    }
    return oracle;
}

const Oracle& Oracles::at(std::uint64_t seed) {
    const auto it = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return k.seed == seed; });
    if (it != kept_.end()) return it->oracle;
    if (kept_.size() >= kKept) kept_.pop_front();
    kept_.push_back({seed, make_oracle(problem_, seed)});
    return kept_.back().oracle;
}

}  // namespace rooftune::matmul
