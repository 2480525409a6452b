// What runs on the caller's own threads cost over run(): the same plan on the same data, by its own threads,
// by parts in one region of OpenMP's, and by an executor that opens a region each time. Prints a Markdown
// table.
#include <omp.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "kernels/spmv/problem.h"
#include "tuner/measure/statistics.h"
#include "tuner/plans/rooftune.h"

using namespace rooftune;

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kBatch = 0.02;    // seconds
constexpr double kBefore = 0.005;  // of each batch, not counted
// OpenMP's threads spin for some 20 ms after a region, in the way of the plan's own: without a rest, run()
// was said to take a quarter longer than parts did.
constexpr std::chrono::milliseconds kRest{60};
constexpr int kRounds = 40;

int threads = 0;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Does so many runs.
using Runs = std::function<void(int)>;

double batch(const Runs& runs, int number) {
    runs(1 + number / 4);
    const auto start = Clock::now();
    runs(number);
    return seconds_since(start) / number;
}

struct Ways {
    Runs run, parts, executor;
};

// `run`, `run_part` and `run_by` of a plan, on whatever data.
template <typename Run, typename Part, typename By>
Ways ways_of(Run run, Part run_part, By run_by) {
    const auto in_region = [](int n, auto part) {
#pragma omp parallel for num_threads(n) schedule(static, 1)
        for (int i = 0; i < n; ++i) part(i);
    };
    return {[=](int runs) {
                for (int r = 0; r < runs; ++r) run();
            },
            [=](int runs) {
#pragma omp parallel num_threads(threads)
                for (int r = 0; r < runs; ++r) run_part(omp_get_thread_num(), omp_get_num_threads());
            },
            [=](int runs) {
                for (int r = 0; r < runs; ++r) run_by(in_region);
            }};
}

std::string cell(const std::vector<double>& ratios, double seconds) {
    const TimeInterval ratio = interval_of_values(ratios);
    char text[96];
    std::snprintf(text, sizeof text, "%.3f [%.3f, %.3f] (%+.2f µs)", ratio.median, ratio.low, ratio.high,
                  1e6 * seconds * (ratio.median - 1.0));
    return text;
}

void compare(const std::string& name, const Ways& ways) {
    int number = 1;
    for (double took = 0.0; took < kBefore; number *= 2) {
        const auto start = Clock::now();
        ways.run(number);
        took = seconds_since(start);
    }
    const double once = batch(ways.run, number);
    number = static_cast<int>(1.0 + kBatch / once);
    std::vector<double> parts, executor, seconds;
    for (int round = 0; round < kRounds; ++round) {
        // There and back: a drift costs all the same.
        const auto on_own_threads = [&] {
            std::this_thread::sleep_for(kRest);
            return batch(ways.run, number);
        };
        double run = on_own_threads();
        double by_parts = batch(ways.parts, number);
        double by_executor = batch(ways.executor, number);
        by_executor += batch(ways.executor, number);
        by_parts += batch(ways.parts, number);
        run += on_own_threads();
        parts.push_back(by_parts / run);
        executor.push_back(by_executor / run);
        seconds.push_back(run / 2.0);
    }
    const double usual = median(seconds);
    std::printf("| %s | %.2f µs | %s | %s |\n", name.c_str(), 1e6 * usual, cell(parts, usual).c_str(),
                cell(executor, usual).c_str());
    std::fflush(stdout);
}

PlanOptions options() {
    PlanOptions all;
    all.threads = threads;
    return all;
}

void of_matmul(std::int64_t n) {
    MatmulPlan<double> plan = matmul_plan<double>(Tuned(), {n, n, n}, options());
    const std::vector<double> a(static_cast<std::size_t>(n * n), 0.5), b(a);
    std::vector<double> c(a);
    compare("matmul " + std::to_string(n) + "³",
            ways_of([&] { plan.run(a.data(), b.data(), c.data()); },
                    [&](int part, int parts) { plan.run_part(part, parts, a.data(), b.data(), c.data()); },
                    [&](auto executor) { plan.run(executor, a.data(), b.data(), c.data()); }));
}

void of_spmv(const char* side) {
    const auto problem = spmv::SpmvProblem::load({{"gen", "poisson5"}, {"nx", side}});
    const spmv::CsrView& m = problem->matrix();
    SpmvPlan<double> plan = spmv_plan<double>(
        Tuned(), SparseMatrix(m.rows, m.cols, m.row_begin.data(), m.column.data(), m.value.data()),
        options());
    const std::vector<double> x(static_cast<std::size_t>(m.cols), 1.0);
    std::vector<double> y(static_cast<std::size_t>(m.rows));
    compare(std::string("spmv poisson5 ") + side + "²",
            ways_of([&] { plan.run(x.data(), y.data()); },
                    [&](int part, int parts) { plan.run_part(part, parts, x.data(), y.data()); },
                    [&](auto executor) { plan.run(executor, x.data(), y.data()); }));
}

void of_stencil(std::int64_t n, std::int64_t steps) {
    StencilPlan<double> plan =
        stencil_plan<double>(Tuned(), {.nx = n, .ny = n, .nz = n, .steps = steps}, options());
    compare("stencil 7-point " + std::to_string(n) + "³, " + std::to_string(steps) +
                (steps == 1 ? " step" : " steps"),
            ways_of([&] { plan.run(); }, [&](int part, int parts) { plan.run_part(part, parts); },
                    [&](auto executor) { plan.run(executor); }));
}

}  // namespace

/// Optionally the number of threads; without it all that a plan takes.
int main(int argc, char** argv) {
    threads = Workers(argc > 1 ? std::atoi(argv[1]) : 0).size();
    std::printf("On %d threads.\n\n", threads);
    std::printf("| kernel | run() | by parts, over it | by executor, over it |\n|---|---:|---:|---:|\n");
    for (const char* side : {"60", "100", "300", "1000"}) of_spmv(side);
    for (const std::int64_t n : {32, 64, 128, 512}) of_matmul(n);
    for (const auto& [n, steps] : {std::pair{16, 1}, {32, 1}, {32, 8}, {128, 4}}) of_stencil(n, steps);
    return 0;
}
