// What a plan's call costs over the kernel behind it: both on the same data, variant and threads, in batches
// that take turns. Prints a Markdown table.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "kernels/matmul/family.h"
#include "kernels/matmul/product.h"
#include "kernels/runtime/isa.h"
#include "kernels/spmv/family.h"
#include "kernels/spmv/problem.h"
#include "kernels/spmv/product.h"
#include "kernels/stencil/arrays.h"
#include "kernels/stencil/family.h"
#include "kernels/stencil/problem.h"
#include "kernels/stencil/stepper.h"
#include "tuner/measure/statistics.h"
#include "tuner/plans/pick.h"
#include "tuner/plans/rooftune.h"
#include "tuner/plans/workers_inside.h"

using namespace rooftune;

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kRounds = 400;
constexpr int kRuns = 200;  // of a batch

double batch(const std::function<void(int)>& runs) {
    const auto start = Clock::now();
    runs(kRuns);
    return std::chrono::duration<double>(Clock::now() - start).count() / kRuns;
}

// Seconds that making a plan takes, the least of three.
double making(const std::function<void()>& make) {
    double least = 1e9;
    for (int i = 0; i < 3; ++i) {
        const auto start = Clock::now();
        make();
        least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
    }
    return least;
}

void compare(const std::string& name, double made, const std::function<void(int)>& raw,
             const std::function<void(int)>& plan) {
    raw(kRuns);
    plan(kRuns);
    std::vector<double> ratios, seconds;
    for (int round = 0; round < kRounds; ++round) {
        // Raw, plan, plan, raw: a drift costs both the same.
        double r = batch(raw);
        const double p = batch(plan) + batch(plan);
        r += batch(raw);
        ratios.push_back(p / r);
        seconds.push_back(r / 2.0);
    }
    const TimeInterval ratio = interval_of_values(ratios);
    std::printf("| %s | %.2f µs | %+.2f %% [%+.2f, %+.2f] | %.0f |\n", name.c_str(), 1e6 * median(seconds),
                100.0 * (ratio.median - 1.0), 100.0 * (ratio.low - 1.0), 100.0 * (ratio.high - 1.0),
                made / median(seconds));
    std::fflush(stdout);
}

void of_matmul(const std::shared_ptr<Workers>& workers, std::int64_t n) {
    const MatmulShape shape{n, n, n};
    MatmulPlan<double> plan = matmul_plan<double>(Tuned(), shape, {.workers = workers});
    const std::string size = std::to_string(n);
    const auto problem = matmul::MatmulProblem::load({{"m", size}, {"n", size}, {"k", size}});
    const Picked picked = pick({}, *make_matmul_family(), *problem, workers->size(), "warm");
    matmul::Product<double> product(*problem, matmul::decode(picked.space, picked.variant, *problem),
                                    choose_isa(picked.target.width_bits), workers->inside().team);
    std::vector<double> a(static_cast<std::size_t>(n * n), 0.5), b = a, c = a;
    compare(
        "matmul " + size + "³", making([&] { matmul_plan<double>(Tuned(), shape, {.workers = workers}); }),
        [&](int runs) {
            for (int i = 0; i < runs; ++i) product.run(a.data(), b.data(), c.data());
        },
        [&](int runs) {
            for (int i = 0; i < runs; ++i) plan.run(a.data(), b.data(), c.data());
        });
}

void of_spmv(const std::shared_ptr<Workers>& workers, const char* side) {
    const auto problem = spmv::SpmvProblem::load({{"gen", "poisson5"}, {"nx", side}});
    const spmv::CsrView& m = problem->matrix();
    const SparseMatrix matrix(m.rows, m.cols, m.row_begin.data(), m.column.data(), m.value.data());
    SpmvPlan<double> plan = spmv_plan<double>(Tuned(), matrix, {.workers = workers});
    const Picked picked = pick({}, *make_spmv_family(), *problem, workers->size(), "warm");
    const spmv::Choice choice = spmv::decode(picked.space, picked.variant, DType::f64);
    Team& team = workers->inside().team;
    spmv::Product product(
        spmv::place_matrix(problem->matrix(), DType::f64, choice, picked.target.numa_nodes, team), choice,
        spmv::kernel_of(picked.space, picked.variant, picked.target, DType::f64), team);
    std::vector<double> x(static_cast<std::size_t>(plan.cols()), 1.0),
        y(static_cast<std::size_t>(plan.rows()));
    compare(
        std::string("spmv poisson5 ") + side + "²",
        making([&] { spmv_plan<double>(Tuned(), matrix, {.workers = workers}); }),
        [&](int runs) {
            for (int i = 0; i < runs; ++i) product.run(x.data(), y.data());
        },
        [&](int runs) {
            for (int i = 0; i < runs; ++i) plan.run(x.data(), y.data());
        });
}

void of_stencil(const std::shared_ptr<Workers>& workers, std::int64_t n) {
    const StencilShape shape{n, n, n};
    StencilPlan<double> plan = stencil_plan<double>(Tuned(), shape, {.workers = workers});
    const std::string size = std::to_string(n);
    const auto family = make_stencil_family();
    const auto problem = family->problem({{"nx", size}, {"ny", size}, {"nz", size}});
    const stencil::Grid grid = dynamic_cast<const stencil::StencilProblem&>(*problem).grid();
    const Picked picked = pick({}, *family, *problem, workers->size(), "warm");
    const stencil::Choice choice = stencil::decode(picked.space, picked.variant, grid);
    Team& team = workers->inside().team;
    stencil::Arrays arrays(grid, stencil::array_key(choice, picked.target.numa_nodes, team.size()), team);
    // As a tune measures it: from one array into another, whose ends nobody closes.
    stencil::Stepper stepper(grid, stencil::coefficients_of(grid.points), choice,
                             stencil::kernels_of(grid, choice, choose_isa(picked.target.width_bits)),
                             arrays.layout(), stencil::AfterLast::left_open, team);
    const std::byte* const input = arrays.input(1, team).data();
    std::byte* const output = arrays.output().data();
    plan.fill(
        [](std::int64_t x, std::int64_t y, std::int64_t z) { return 1e-3 * static_cast<double>(x + y + z); });
    compare(
        "stencil 7-point " + size + "³",
        making([&] { stencil_plan<double>(Tuned(), shape, {.workers = workers}); }),
        [&](int runs) {
            for (int i = 0; i < runs; ++i) stepper.run(input, nullptr, output);
        },
        [&](int runs) {
            for (int i = 0; i < runs; ++i) plan.run();
        });
}

}  // namespace

int main() {
    std::printf("| kernel | raw | plan over raw | making the plan, in runs |\n|---|---:|---:|---:|\n");
    for (const int threads : {1, 0}) {
        const auto workers = std::make_shared<Workers>(threads);
        std::printf("| *%d thread%s* | | | |\n", workers->size(), workers->size() == 1 ? "" : "s");
        for (const std::int64_t n : {16, 32, 64, 80}) of_matmul(workers, n);
        for (const char* side : {"30", "60", "100"}) of_spmv(workers, side);
        for (const std::int64_t n : {16, 24, 32}) of_stencil(workers, n);
    }
    return 0;
}
