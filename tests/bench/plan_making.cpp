// What it takes to make a sparse plan from a program's arrays where a config exists, in runs of plain CSR:
// the matrix (checked), the choice, the conversion; beside that the copy of a matrix whose arrays go, the
// first transposed run, and new values. Prints a Markdown table. Arguments: files in the Matrix Market
// format, of which more than 1 M entries matter.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/kernels_build.h"
#include "kernels/spmv/family.h"
#include "kernels/spmv/problem.h"
#include "tuner/choose/closest_variant.h"
#include "tuner/plans/rooftune.h"
#include "tuner/plans/tuned_inside.h"

using namespace rooftune;

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kRounds = 7;

double seconds_of(const auto& act) {
    const auto start = Clock::now();
    act();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The least disturbed.
double least(const std::vector<double>& values) {
    return *std::min_element(values.begin(), values.end());
}

/// A config of these values, or what is nearest to them, for the matrix.
Tuned tuned_by(const spmv::SpmvProblem& problem, int threads, std::map<std::string, std::string> values) {
    const auto family = make_spmv_family();
    const Target target = target_on(this_machine().topology, usable_widths(), threads);
    values["threads"] = std::to_string(threads);
    if (!values.contains("simd")) values["simd"] = std::to_string(target.width_bits.back());
    const Space space = family->space(problem, target);
    const auto closest = closest_variant(space, values);
    if (!closest) return {};
    TuneResult r;
    r.family = family->name();
    r.digest = problem.digest();
    r.dtype = to_text(problem.dtype());
    r.state = "warm";
    r.threads = threads;
    r.space_version = space.version();
    r.best = space.to_map(closest->variant);
    auto inside = std::make_shared<Tuned::Inside>();
    inside->folder = "tuned";
    inside->configs.push_back({"tuned/a.json", tuned_config_of(r, compiler_name(), kernels_build()), true});
    return Tuned(std::move(inside));
}

void measure(const std::string& name, const spmv::CsrView& m) {
    const auto problem = spmv::SpmvProblem::from(m, DType::f64, {}, "matrix");
    std::vector<double> x(static_cast<std::size_t>(m.cols), 1.0), y(static_cast<std::size_t>(m.rows));
    for (const int threads : {1, Workers(0).size()}) {
        const PlanOptions options{.workers = Workers::shared(threads)};
        const auto matrix = [&] {
            return SparseMatrix::view(m.rows, m.cols, m.row_begin.data(), m.column.data(), m.value.data());
        };
        const std::map<std::string, std::string> plain{
            {"format", "csr"}, {"index", "32"},  {"partition", "rows"}, {"simd", "scalar"},
            {"unroll", "1"},   {"streams", "1"}, {"prefetch", "0"}};
        SpmvPlan<double> textbook = spmv_plan<double>(tuned_by(*problem, threads, plain), matrix(), options);
        std::vector<double> runs;
        for (int i = 0; i < 5 * kRounds; ++i)
            runs.push_back(seconds_of([&] { textbook.run(x.data(), y.data()); }));
        const double run = least(runs);
        for (const std::map<std::string, std::string>& wanted :
             {plain,
              {{"format", "csr"}, {"index", "16"}, {"unroll", "1"}, {"streams", "1"}, {"prefetch", "0"}},
              {{"format", "sell"},
               {"chunk", "16"},
               {"sigma", "256"},
               {"index", "16"},
               {"unroll", "1"},
               {"streams", "1"},
               {"prefetch", "1024"}},
              {{"format", "bcsr"},
               {"block", "2x2"},
               {"index", "16"},
               {"unroll", "1"},
               {"streams", "1"},
               {"prefetch", "1024"}}}) {
            const Tuned tuned = tuned_by(*problem, threads, wanted);
            std::vector<double> copying, looking, planning, updating;
            double transposing = 0.0;
            std::string variant;
            for (int round = 0; round < kRounds; ++round) {
                std::unique_ptr<SparseMatrix> copy;
                copying.push_back(seconds_of([&] {
                    copy = std::make_unique<SparseMatrix>(m.rows, m.cols, m.row_begin.data(), m.column.data(),
                                                          m.value.data());
                }));
                copy.reset();
                std::unique_ptr<SparseMatrix> view;
                looking.push_back(seconds_of([&] { view = std::make_unique<SparseMatrix>(matrix()); }));
                std::unique_ptr<SpmvPlan<double>> plan;
                planning.push_back(seconds_of([&] {
                    plan = std::make_unique<SpmvPlan<double>>(spmv_plan<double>(tuned, *view, options));
                }));
                updating.push_back(seconds_of(
                    [&] { plan->update_values(m.value.data(), static_cast<std::int64_t>(m.value.size())); }));
                variant = plan->choice().variant;
                if (round > 0) continue;
                std::vector<double> turned(static_cast<std::size_t>(m.cols));
                transposing = seconds_of([&] { plan->run_transposed(1.0, y.data(), 0.0, turned.data()); });
            }
            const double viewed = least(looking), planned = least(planning);
            std::printf("| %s | %s | %.2f ms | %.1f | %.1f | **%.1f** | %.1f | %.1f | %.1f |\n", name.c_str(),
                        variant.c_str(), 1e3 * run, viewed / run, planned / run, (viewed + planned) / run,
                        least(copying) / run, least(updating) / run, transposing / run);
            std::fflush(stdout);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::printf(
        "| matrix | variant | plain CSR | view | plan | both | copy | new values | first transposed |\n"
        "|---|---|---:|---:|---:|---:|---:|---:|---:|\n");
    const auto generated = spmv::SpmvProblem::load({{"gen", "poisson27"}, {"nx", "80"}});
    measure("poisson27 80³", generated->matrix());
    for (int i = 1; i < argc; ++i) {
        const auto problem = spmv::SpmvProblem::load({{"matrix", argv[i]}});
        const std::string title = problem->title();
        measure(title.substr(0, title.find(' ')), problem->matrix());
    }
    return 0;
}
