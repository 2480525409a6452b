// Conjugate gradients: solves A·x = b for a symmetric positive definite matrix. Nearly all of its time goes
// into one product with A an iteration, which is what the plan is for. Compiled with OpenMP, its own loops
// run on OpenMP's threads, and so does the plan: these spin for a while after each region, on the processing
// units that threads of the plan's own would want.
//
//   cg MATRIX.mtx|- [FOLDER OF TUNED CONFIGS [own]]      "-": the 5-point Laplacian of a 200 × 200 grid
//
// "own": the plan runs on its own threads all the same, to see what that costs.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "laplacian.h"
#include "masks.h"
#include "show.h"

namespace {

using Clock = std::chrono::steady_clock;
using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

/// y = x + factor·y
void scale_and_add(double factor, const Vector& x, Vector& y) {
#pragma omp parallel for
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] + factor * y[i];
}

double median(Vector values) {
    if (values.empty()) return 0.0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// y = A·x, on OpenMP's threads where there are any.
void multiply(rooftune::SpmvPlan<double>& plan, [[maybe_unused]] bool on_own, const Vector& x, Vector& y) {
#ifdef _OPENMP
    if (!on_own) {
        const auto in_region = [](int n, auto part) {
#pragma omp parallel for num_threads(n) schedule(static, 1)
            for (int i = 0; i < n; ++i) part(i);
        };
        plan.run(in_region, x.data(), y.data());
        return;
    }
#endif
    plan.run(x.data(), y.data());
}

int solve(const char* file, const char* folder, bool on_own) {
    const rooftune::SparseMatrix matrix =
        std::strcmp(file, "-") == 0 ? laplacian(200) : rooftune::SparseMatrix::read(file);
    if (matrix.rows() != matrix.cols()) {
        std::fprintf(stderr, "error: %s: %lld rows and %lld columns; give a square matrix\n", file,
                     static_cast<long long>(matrix.rows()), static_cast<long long>(matrix.cols()));
        return 2;
    }
    const auto n = static_cast<std::size_t>(matrix.rows());
    const Vector ones(n, 1.0);
    // OpenMP's threads start with its first region.
    static_cast<void>(dot(ones, ones));
    const Masks masks = masks_now();
    rooftune::SpmvPlan<double> plan = rooftune::spmv_plan<double>(load_and_tell(folder), matrix);
    show(plan.choice());

    // b is chosen so that the solution is known: all ones.
    Vector b(n), x(n, 0.0), product(n), seconds;
    multiply(plan, on_own, ones, b);
    Vector residual = b, direction = b;
    double rr = dot(residual, residual);
    const double enough = 1e-20 * rr;
    while (rr > enough && seconds.size() < 20000) {
        const auto begun = Clock::now();
        multiply(plan, on_own, direction, product);
        seconds.push_back(std::chrono::duration<double>(Clock::now() - begun).count());
        const double curvature = dot(direction, product);
        if (!(curvature > 0.0)) {
            std::fprintf(stderr,
                         "error: %s: the matrix is not positive definite; conjugate gradients need one "
                         "that is\n",
                         file);
            return 2;
        }
        const double step = rr / curvature;
#pragma omp parallel for
        for (std::size_t i = 0; i < n; ++i) {
            x[i] += step * direction[i];
            residual[i] -= step * product[i];
        }
        const double next = dot(residual, residual);
        scale_and_add(next / rr, residual, direction);
        rr = next;
    }
    double error = 0.0;
    for (std::size_t i = 0; i < n; ++i) error = std::fmax(error, std::fabs(x[i] - 1.0));
    std::printf("%zu iterations; the solution is off by at most %.1e\n", seconds.size(), error);
    std::printf("a product takes %.2f us in the median\n", 1e6 * median(seconds));
    const bool left_alone = tell_masks(masks), right = rr <= enough;
    std::printf("%s\n", right ? "converged" : "did not converge");
    return right && left_alone ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: cg MATRIX.mtx|- [FOLDER [own]]\n");
        return 2;
    }
    const bool on_own = argc > 3 && std::strcmp(argv[3], "own") == 0;
    return end_well([&] { return solve(argv[1], argc > 2 ? argv[2] : nullptr, on_own); });
}
