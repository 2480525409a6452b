// Steps in time whose matrix has new values each time: heat that spreads over a 200 × 200 grid, as fast as
// the sun stands high. The plan of the first matrix serves them all, because the pattern stays. Compiled with
// OpenMP, its own loops run on OpenMP's threads, and so does all that the plan does.
//
//   steps [FOLDER OF TUNED CONFIGS]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "laplacian.h"
#include "masks.h"
#include "show.h"

namespace {

constexpr int kSide = 200, kSteps = 240;
constexpr auto kPoints = static_cast<std::size_t>(kSide) * kSide;
using Vector = std::vector<double>;

// How much flows to a neighbour in step `step`, which is at most a fifth: then nothing oscillates.
double flow(int step) {
    return 0.1 + 0.1 * std::sin(2.0 * 3.141592653589793 * step / kSteps);
}

// The values of u ← u − flow·L·u in the order of laplacian(): four or less of five entries a row leave what
// stays.
void new_values(int step, Vector& value) {
    const double moves = flow(step);
    const std::ptrdiff_t side = kSide;
    // Where a row begins: each point has itself and its neighbours, which are fewer at the edges.
    const auto begin = [side](std::ptrdiff_t x, std::ptrdiff_t y) {
        const std::ptrdiff_t before = y * side + x;
        const std::ptrdiff_t left = y + (x > 0 ? 1 : 0),
                             right = y;  // rows without one to the left, the right
        const std::ptrdiff_t above = y > 0 ? side : x, below = y + 1 == side ? x : 0;  // and above, below
        return static_cast<std::size_t>(5 * before - left - right - above - below);
    };
#pragma omp parallel for
    for (std::ptrdiff_t y = 0; y < side; ++y) {
        for (std::ptrdiff_t x = 0; x < side; ++x) {
            const std::size_t first = begin(x, y);
            const std::size_t end = x + 1 < side   ? begin(x + 1, y)
                                    : y + 1 < side ? begin(0, y + 1)
                                                   : value.size();
            value[first] = 1.0 - 4.0 * moves;
            std::fill(value.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                      value.begin() + static_cast<std::ptrdiff_t>(end), moves);
        }
    }
}

// The same step without a matrix.
void plain_step(int step, const Vector& u, Vector& next) {
    const double moves = flow(step);
    for (int y = 0; y < kSide; ++y) {
        for (int x = 0; x < kSide; ++x) {
            const auto at = static_cast<std::size_t>(y) * kSide + static_cast<std::size_t>(x);
            double sum = 0.0;
            if (x > 0) sum += u[at - 1];
            if (x + 1 < kSide) sum += u[at + 1];
            if (y > 0) sum += u[at - kSide];
            if (y + 1 < kSide) sum += u[at + kSide];
            next[at] = (1.0 - 4.0 * moves) * u[at] + moves * sum;
        }
    }
}

#ifdef _OPENMP
// Threads of OpenMP's that still spin keep the processing units from a plan's own.
void in_region(int n, rooftune::PlanPart part) {
#pragma omp parallel for num_threads(n) schedule(static, 1)
    for (int i = 0; i < n; ++i) part(i);
}
#endif

int run(const char* folder) {
    const rooftune::SparseMatrix matrix = laplacian(kSide);
    Vector u(kPoints), next(kPoints), expected(kPoints), value(static_cast<std::size_t>(matrix.given()));
    // Values that repeat after 1009 points.
    for (std::size_t i = 0; i < kPoints; ++i) u[i] = expected[i] = static_cast<double>(i * i % 1009) / 1009.0;
    // OpenMP's threads start with its first region.
    new_values(0, value);
    const Masks masks = masks_now();
    rooftune::SpmvPlan<double> plan = rooftune::spmv_plan<double>(load_and_tell(folder), matrix);
    show(plan.choice());
    double seconds = 0.0, error = 0.0;
    bool right = true;
    for (int step = 0; step < kSteps; ++step) {
        const auto begun = std::chrono::steady_clock::now();
        new_values(step, value);
#ifdef _OPENMP
        plan.update_values(in_region, value.data(), static_cast<std::int64_t>(value.size()));
        plan.run(in_region, u.data(), next.data());
#else
        plan.update_values(value.data(), static_cast<std::int64_t>(value.size()));
        plan.run(u.data(), next.data());
#endif
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
        std::swap(u, next);
        // Each step is looked at: values that come a step late would leave the same heat in the end.
        plain_step(step, expected, next);
        std::swap(expected, next);
        for (std::size_t i = 0; i < kPoints; ++i) {
            const double off = std::fabs(u[i] - expected[i]);
            right = right && off <= 1e-12;
            error = std::fmax(error, off);
        }
    }
    std::printf("a step takes %.2f us in the mean\n", 1e6 * seconds / kSteps);
    std::printf("the heat is %s (off by at most %.1e)\n", right ? "as it must be" : "WRONG", error);
    return tell_masks(masks) && right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return end_well([&] { return run(argc > 1 ? argv[1] : nullptr); });
}
