// What a plan's call costs over the kernel behind it: both on the same data, variant and threads, in batches
// that take turns. Prints a Markdown table.
//
// Where a process's stack, heap and arrays happen to lie moves a small kernel by per cents, and the two ways
// differently: a process that made both anew 12 times said +2.0 % for the stencil of 16³ points, its next run
// −1.4 %, each within ±0.5 %, and two raw kernels side by side 0. That is no cost of the plan. Every
// placement is therefore a process of its own (this program, with the placement's number), and one median of
// each counts.
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
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
constexpr int kPlacements = 48;
constexpr int kRounds = 20;
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

/// What one placement says of one kernel.
struct Seen {
    double ratio = 0.0;  ///< plan over raw: the median of the rounds
    double raw = 0.0;    ///< seconds of a run: the median of the rounds
    double made = 0.0;   ///< seconds to make the plan
};

int placement = 0;  ///< of this process

/// Measures and prints a line for the process that collects.
void compare(const std::string& name, const std::function<std::function<void(int)>()>& make_raw,
             const std::function<std::function<void(int)>()>& make_plan) {
    std::vector<double> ratios, seconds;
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
    for (int round = 0; round < kRounds; ++round) {
        // Raw, plan, plan, raw: a drift costs both the same.
        double raw = batch(ways.raw);
        const double plan = batch(ways.plan) + batch(ways.plan);
        raw += batch(ways.raw);
        ratios.push_back(plan / raw);
        seconds.push_back(raw / 2.0);
    }
    std::printf("%s\t%.9g\t%.9g\t%.9g\n", name.c_str(), median(ratios), median(seconds), ways.made);
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

int measure() {
    for (const int threads : {1, 0}) {
        const auto workers = std::make_shared<Workers>(threads);
        std::printf("%d thread%s\n", workers->size(), workers->size() == 1 ? "" : "s");
        for (const std::int64_t n : {16, 32, 64, 80}) of_matmul(workers, n);
        for (const char* side : {"30", "60", "100"}) of_spmv(workers, side);
        for (const std::int64_t n : {16, 24, 32}) of_stencil(workers, n);
    }
    return 0;
}

/// The table's lines in the order in which a process prints them; a heading has nothing seen.
using Table = std::vector<std::pair<std::string, std::vector<Seen>>>;

/// Adds what a process of its own sees at one placement. False when it fails.
bool add_placement(Table& table, const std::string& program, int which) {
    std::FILE* const child = popen(("'" + program + "' " + std::to_string(which)).c_str(), "r");
    if (!child) return false;
    std::array<char, 256> text;
    for (std::size_t row = 0; std::fgets(text.data(), text.size(), child); ++row) {
        const std::string line(text.data());
        const std::string name = line.substr(0, line.find_first_of("\t\n"));
        if (row == table.size()) table.push_back({name, {}});
        Seen seen;
        if (std::sscanf(line.c_str() + name.size(), "\t%lg\t%lg\t%lg", &seen.ratio, &seen.raw, &seen.made) ==
            3) {
            table[row].second.push_back(seen);
        }
    }
    return pclose(child) == 0;
}

double median_of(const std::vector<Seen>& all, double Seen::*what) {
    std::vector<double> values;
    for (const Seen& seen : all) values.push_back(seen.*what);
    return median(values);
}

void print(const std::string& name, const std::vector<Seen>& all) {
    if (all.empty()) {
        std::printf("| *%s* | | | | |\n", name.c_str());
        return;
    }
    std::vector<double> ratios;
    for (const Seen& seen : all) ratios.push_back(seen.ratio);
    const TimeInterval ratio = interval_of_values(ratios);
    const double raw = median_of(all, &Seen::raw);
    std::printf("| %s | %.2f µs | %+.2f %% [%+.2f, %+.2f] | %+.0f ns | %.0f |\n", name.c_str(), 1e6 * raw,
                100.0 * (ratio.median - 1.0), 100.0 * (ratio.low - 1.0), 100.0 * (ratio.high - 1.0),
                1e9 * raw * (ratio.median - 1.0), median_of(all, &Seen::made) / raw);
}

int collect(const std::string& program) {
    Table table;
    for (int which = 0; which < kPlacements; ++which) {
        if (add_placement(table, program, which)) continue;
        std::fprintf(stderr, "plan_overhead: placement %d failed\n", which);
        return 1;
    }
    std::printf(
        "| kernel | raw | plan over raw | a call | making the plan, in runs |\n|---|---:|---:|---:|---:|\n");
    for (const auto& [name, seen] : table) print(name, seen);
    return 0;
}

}  // namespace

/// Without arguments the table; with a number, that placement's lines.
int main(int argc, char** argv) {
    if (argc < 2) return collect(argv[0]);
    placement = std::atoi(argv[1]);
    return measure();
}
