// Conjugate gradients: solves A·x = b for a symmetric positive definite matrix. Nearly all of its time goes
// into one product with A an iteration, which is what the plan is for.
//
//   cg MATRIX.mtx|- [FOLDER OF TUNED CONFIGS]      "-": the 5-point Laplacian of a 200 × 200 grid
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "show.h"

namespace {

using Vector = std::vector<double>;

rooftune::SparseMatrix laplacian(int side) {
    std::vector<int> begin{0}, column;
    Vector value;
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const auto add = [&](int to_x, int to_y, double v) {
                if (to_x < 0 || to_x >= side || to_y < 0 || to_y >= side) return;
                column.push_back(to_y * side + to_x);
                value.push_back(v);
            };
            add(x, y, 4.0);
            add(x - 1, y, -1.0);
            add(x + 1, y, -1.0);
            add(x, y - 1, -1.0);
            add(x, y + 1, -1.0);
            begin.push_back(static_cast<int>(column.size()));
        }
    }
    return {side * side, side * side, begin.data(), column.data(), value.data()};
}

double dot(const Vector& a, const Vector& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

int solve(const char* file, const char* folder) {
    const rooftune::SparseMatrix matrix =
        std::strcmp(file, "-") == 0 ? laplacian(200) : rooftune::SparseMatrix::read(file);
    if (matrix.rows() != matrix.cols()) {
        std::fprintf(stderr, "error: %s: %lld rows and %lld columns; give a square matrix\n", file,
                     static_cast<long long>(matrix.rows()), static_cast<long long>(matrix.cols()));
        return 2;
    }
    rooftune::SpmvPlan<double> plan = rooftune::spmv_plan<double>(load_and_tell(folder), matrix);
    show(plan.choice());

    // b is chosen so that the solution is known: all ones.
    const auto n = static_cast<std::size_t>(matrix.rows());
    const Vector ones(n, 1.0);
    Vector b(n), x(n, 0.0), product(n);
    plan.run(ones.data(), b.data());
    Vector residual = b, direction = b;
    double rr = dot(residual, residual);
    const double enough = 1e-20 * rr;
    int iterations = 0;
    while (rr > enough && iterations < 20000) {
        plan.run(direction.data(), product.data());
        const double curvature = dot(direction, product);
        if (!(curvature > 0.0)) {
            std::fprintf(stderr,
                         "error: %s: the matrix is not positive definite; conjugate gradients need one "
                         "that is\n",
                         file);
            return 2;
        }
        const double step = rr / curvature;
        for (std::size_t i = 0; i < n; ++i) {
            x[i] += step * direction[i];
            residual[i] -= step * product[i];
        }
        const double next = dot(residual, residual);
        for (std::size_t i = 0; i < n; ++i) direction[i] = residual[i] + next / rr * direction[i];
        rr = next;
        ++iterations;
    }
    double error = 0.0;
    for (std::size_t i = 0; i < n; ++i) error = std::fmax(error, std::fabs(x[i] - 1.0));
    std::printf("%d iterations; the solution is off by at most %.1e\n", iterations, error);
    const bool right = rr <= enough;
    std::printf("%s\n", right ? "converged" : "did not converge");
    return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: cg MATRIX.mtx|- [FOLDER]\n");
        return 2;
    }
    return end_well([&] { return solve(argv[1], argc > 2 ? argv[2] : nullptr); });
}
