// What a plan's call costs over the kernel behind it: both on the same data, variant and threads, in batches
// that take turns. Prints a Markdown table.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/matmul/family.h"
#include "kernels/matmul/product.h"
#include "kernels/runtime/isa.h"
#include "kernels/runtime/memory.h"
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
constexpr int kPlacements = 12;
constexpr int kRounds = 40;
constexpr int kRuns = 200;  // of a batch

/// Both ways to run the same kernel on the same data so many times, and what it took to make the plan.
struct Ways {
    std::function<void(int)> raw, plan;
    double made = 0.0;  ///< seconds
};

double batch(const std::function<void(int)>& runs) {
    const auto start = Clock::now();
    runs(kRuns);
    return std::chrono::duration<double>(Clock::now() - start).count() / kRuns;
}

// Where its arrays happen to lie moves a small kernel by per cents, and that is no cost of the plan: both are
// made anew again and again, and one median a placement counts.
void compare(const std::string& name, const std::function<std::function<void(int)>()>& make_raw,
             const std::function<std::function<void(int)>()>& make_plan) {
    std::vector<double> ratios, seconds, made;
    for (int placement = 0; placement < kPlacements; ++placement) {
        Ways ways;
        const auto make_the_plan = [&] {
            const auto start = Clock::now();
            ways.plan = make_plan();
            ways.made = std::chrono::duration<double>(Clock::now() - start).count();
        };
        // Who is made first gets other pages.
        if (placement % 2 == 0) make_the_plan();
        ways.raw = make_raw();
        if (placement % 2 != 0) make_the_plan();
        ways.raw(kRuns);
        ways.plan(kRuns);
        std::vector<double> here;
        for (int round = 0; round < kRounds; ++round) {
            // Raw, plan, plan, raw: a drift costs both the same.
            double raw = batch(ways.raw);
            const double plan = batch(ways.plan) + batch(ways.plan);
            raw += batch(ways.raw);
            here.push_back(plan / raw);
            seconds.push_back(raw / 2.0);
        }
        ratios.push_back(median(here));
        made.push_back(ways.made);
    }
    const TimeInterval ratio = interval_of_values(ratios);
    const double raw = median(seconds);
    std::printf("| %s | %.2f µs | %+.2f %% [%+.2f, %+.2f] | %+.0f ns | %.0f |\n", name.c_str(), 1e6 * raw,
                100.0 * (ratio.median - 1.0), 100.0 * (ratio.low - 1.0), 100.0 * (ratio.high - 1.0),
                1e9 * raw * (ratio.median - 1.0), median(made) / raw);
    std::fflush(stdout);
}

template <typename Run>
std::function<void(int)> repeated(Run run) {
    return [run](int runs) {
        for (int i = 0; i < runs; ++i) run();
    };
}

void of_matmul(const std::shared_ptr<Workers>& workers, std::int64_t n) {
    const MatmulShape shape{n, n, n};
    const std::string size = std::to_string(n);
    const auto problem = matmul::MatmulProblem::load({{"m", size}, {"n", size}, {"k", size}});
    const Picked picked = pick({}, *make_matmul_family(), *problem, workers->size(), "warm");
    using Vector = std::vector<double>;
    const auto a = std::make_shared<Vector>(static_cast<std::size_t>(n * n), 0.5);
    const auto b = std::make_shared<Vector>(*a), c = std::make_shared<Vector>(*a);
    compare(
        "matmul " + size + "³",
        [&] {
            const auto product = std::make_shared<matmul::Product<double>>(
                *problem, matmul::decode(picked.space, picked.variant, *problem),
                choose_isa(picked.target.width_bits), workers->inside().team);
            return repeated([=] { product->run(a->data(), b->data(), c->data()); });
        },
        [&] {
            const auto plan = std::make_shared<MatmulPlan<double>>(
                matmul_plan<double>(Tuned(), shape, {.workers = workers}));
            return repeated([=] { plan->run(a->data(), b->data(), c->data()); });
        });
}

void of_spmv(const std::shared_ptr<Workers>& workers, const char* side) {
    const auto problem = spmv::SpmvProblem::load({{"gen", "poisson5"}, {"nx", side}});
    const spmv::CsrView& m = problem->matrix();
    const SparseMatrix matrix(m.rows, m.cols, m.row_begin.data(), m.column.data(), m.value.data());
    const Picked picked = pick({}, *make_spmv_family(), *problem, workers->size(), "warm");
    const spmv::Choice choice = spmv::decode(picked.space, picked.variant, DType::f64);
    Team& team = workers->inside().team;
    const auto x = std::make_shared<std::vector<double>>(static_cast<std::size_t>(m.cols), 1.0);
    const auto y = std::make_shared<std::vector<double>>(static_cast<std::size_t>(m.rows));
    compare(
        std::string("spmv poisson5 ") + side + "²",
        [&] {
            const auto product = std::make_shared<spmv::Product>(
                spmv::place_matrix(m, DType::f64, choice, picked.target.numa_nodes, team), choice,
                spmv::kernel_of(picked.space, picked.variant, picked.target, DType::f64), team);
            return repeated([=] { product->run(x->data(), y->data()); });
        },
        [&] {
            const auto plan =
                std::make_shared<SpmvPlan<double>>(spmv_plan<double>(Tuned(), matrix, {.workers = workers}));
            return repeated([=] { plan->run(x->data(), y->data()); });
        });
}

void of_stencil(const std::shared_ptr<Workers>& workers, std::int64_t n) {
    const StencilShape shape{n, n, n};
    const std::string size = std::to_string(n);
    const auto family = make_stencil_family();
    const auto problem = family->problem({{"nx", size}, {"ny", size}, {"nz", size}});
    const stencil::Grid grid = dynamic_cast<const stencil::StencilProblem&>(*problem).grid();
    const Picked picked = pick({}, *family, *problem, workers->size(), "warm");
    const stencil::Choice choice = stencil::decode(picked.space, picked.variant, grid);
    Team& team = workers->inside().team;
    const stencil::ArrayKey key = stencil::array_key(choice, picked.target.numa_nodes, team.size());
    const stencil::Layout layout = stencil::layout_of(grid, choice.padding);
    compare(
        "stencil 7-point " + size + "³",
        [&] {
            const auto now = std::make_shared<Buffer>(stencil::place_array(grid, layout, key, team));
            const auto next = std::make_shared<Buffer>(stencil::place_array(grid, layout, key, team));
            for (const auto& array : {now, next}) std::memset(array->data(), 0, array->bytes());
            const auto stepper = std::make_shared<stencil::Stepper>(
                grid, shape.coefficients, choice,
                stencil::kernels_of(grid, choice, choose_isa(picked.target.width_bits)), layout,
                stencil::AfterLast::left_open, team);
            return repeated([=] {
                stepper->run(now->data(), nullptr, next->data());
                std::swap(*now, *next);
            });
        },
        [&] {
            const auto plan = std::make_shared<StencilPlan<double>>(
                stencil_plan<double>(Tuned(), shape, {.workers = workers}));
            return repeated([=] { plan->run(); });
        });
}

}  // namespace

int main() {
    std::printf(
        "| kernel | raw | plan over raw | a call | making the plan, in runs |\n|---|---:|---:|---:|---:|\n");
    for (const int threads : {1, 0}) {
        const auto workers = std::make_shared<Workers>(threads);
        std::printf("| *%d thread%s* | | | | |\n", workers->size(), workers->size() == 1 ? "" : "s");
        for (const std::int64_t n : {16, 32, 64, 80}) of_matmul(workers, n);
        for (const char* side : {"30", "60", "100"}) of_spmv(workers, side);
        for (const std::int64_t n : {16, 24, 32}) of_stencil(workers, n);
    }
    return 0;
}
