#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "tuner/cli/commands.h"
#include "tuner/cli/tune_job.h"
#include "tuner/cli/tune_set.h"
#include "tuner/config/atomic_file.h"
#include "tuner/config/result_json.h"
#include "tuner/measure/interrupt.h"
#include "tuner/report/roofline_svg.h"
#include "tuner/report/summary.h"
#include "tuner/report/tuned_set_text.h"

namespace rooftune {
namespace {

struct TuneArguments {
    TuneOptions options;
    std::string family;
    std::vector<std::string> pieces;
    std::string matrix, job_file;
    std::vector<std::string> budget;  ///< each may hold several limits
    std::vector<std::string> where;   ///< constraints on the space of every job
    bool dry = false;
};

std::string default_jobs() {
    return (std::filesystem::path(home_folder()) / "configs" / "jobs" / "default.json").string();
}

JobList jobs_of(const TuneArguments& a, const Registry& registry) {
    const bool problem_given = !a.pieces.empty() || !a.matrix.empty();
    if (!a.job_file.empty() && (!a.family.empty() || problem_given)) {
        throw InputError("--job and a problem on the command line exclude each other; give one of them");
    }
    JobList list;
    std::vector<Job>& jobs = list.jobs;
    if (a.family.empty()) {
        if (problem_given)
            throw InputError("a problem needs its family first, like `rooftune tune spmv --matrix FILE`");
        list = read_jobs(a.job_file.empty() ? default_jobs() : a.job_file, registry);
    } else {
        Job job;
        job.family = &family_named(registry, a.family);
        for (const std::string& piece : a.pieces) add_to_spec(piece, job.problem);
        if (!a.matrix.empty() && !job.problem.emplace("matrix", a.matrix).second) {
            throw InputError("the matrix is given twice, by --matrix and by matrix=; give it once");
        }
        jobs.push_back(std::move(job));
    }
    if (!a.budget.empty()) {
        std::string text;
        for (const std::string& part : a.budget) text += (text.empty() ? "" : ",") + part;
        const std::optional<Budget> budget = budget_from(text);
        if (!budget) throw InputError("--budget " + text + ": write " + std::string(kBudgetForms));
        for (Job& job : jobs) {
            job.budget = *budget;
            job.budget_given = true;
        }
    }
    for (Job& job : jobs) {
        for (const std::string& rule : a.where) job.constraints.push_back({rule, "--where"});
    }
    return list;
}

// The jobs that can run here. One that may be left out is, with a notice, where there is no device.
void leave_out_impossible(std::vector<Job>& jobs, const CommonOptions& common,
                          const std::function<void(const std::string&)>& notice) {
    std::erase_if(jobs, [&](const Job& job) {
        if (backend_of(job, common) != Backend::opencl) return false;
        try {
            chosen_device(common, chosen_cpus(common));
            return false;
        } catch (const EnvironmentError& error) {
            if (!job.optional) throw;
            notice("left out " + std::string(job.family->name()) + " on OpenCL: " + error.what());
            return true;
        }
    });
}

// One plot of all winners, beside the plots of each.
void plot_together(const std::vector<TuneResult>& results, const Machine& machine,
                   const CommonOptions& common) {
    const std::filesystem::path folder = std::filesystem::path(results.front().plot_file).parent_path();
    const std::string file = (folder / "winners.svg").string();
    write_atomically(file, roofline_svg(results, machine));
    if (!common.json) std::cout << "\nAll winners in one plot: " << file << "\n";
}

std::vector<std::string> known_strategies() {
    std::vector<std::string> names;
    for (const StrategyKind& kind : strategy_kinds()) names.emplace_back(kind.name);
    return names;
}

std::string strategy_names() {
    std::string list;
    for (const std::string& name : known_strategies()) list += (list.empty() ? "" : ", ") + name;
    return list;
}

void check_strategy(const std::string& name) {
    if (name == kByBounds || find_strategy(name)) return;
    std::vector<std::string> names = known_strategies();
    names.emplace_back(kByBounds);
    throw InputError("--strategy " + name + ": there is none; " + suggestion(name, names));
}

int tune_several(const JobList& list, const std::vector<ProblemSketch>& sketches, const TuneOptions& options,
                 MachineModel& machine, const std::function<void(const std::string&)>& notice) {
    const CommonOptions& common = options.common;
    bool first = true;
    SetObserver observer;
    observer.notice = notice;
    observer.result = [&](const TuneResult& result) {
        if (common.json) return;
        std::cout << (first ? "" : "\n") << summary_text(result) << std::flush;
        first = false;
    };
    const SetOutcome outcome = tune_set(list, sketches, options, machine, observer);
    if (common.json) {
        std::cout << json_text(to_json(outcome.results)) << std::flush;
        notice("all winners and the rule between them: " + outcome.file);
    } else {
        if (outcome.results.size() > 1) std::cout << "\n" << several_table(outcome.results);
        std::cout << "\n" << tuned_set_text(outcome.set, outcome.file);
    }
    if (outcome.results.size() > 1) plot_together(outcome.results, machine.machine, common);
    return outcome.all_work ? 0 : 1;
}

int tune(const TuneArguments& a, const Registry& registry) {
    check_strategy(a.options.strategy);
    JobList list = jobs_of(a, registry);
    std::vector<Job>& jobs = list.jobs;
    const CommonOptions& common = a.options.common;
    // Every problem is checked before time is spent on the machine or on the first of them.
    // One is kept; of several, each is loaded again for its turn, so that memory holds one at a time.
    const auto notice = [&](const std::string& text) {
        if (!common.quiet) std::fprintf(stderr, "rooftune: %s\n", text.c_str());
    };
    leave_out_impossible(jobs, common, notice);
    std::vector<ProblemSketch> sketches;
    for (Job& job : jobs) {
        std::shared_ptr<Problem> problem = job.family->problem(job.problem);
        check_cuts(job, common, a.options.only, *problem);
        sketches.push_back(sketch_of(job, *problem, common));
        if (jobs.size() == 1) job.loaded = std::move(problem);
    }
    const std::vector<int> cpus = chosen_cpus(common);
    // A CPU device's threads inherit where they may run from the thread that finds it: before any is pinned.
    const bool device = std::any_of(
        jobs.begin(), jobs.end(), [&](const Job& job) { return backend_of(job, common) == Backend::opencl; });
    if (device) chosen_device(common, cpus);
    MachineModel machine = machine_model(common, cpus, notice);
    if (interrupted()) return 130;
    if (device && !a.dry) know_device(machine, cpus, chosen_device(common, cpus), notice);
    if (interrupted()) return 130;
    if (a.dry) {
        for (const Job& job : jobs) std::cout << dry_run(job, a.options, machine);
        return 0;
    }
    if (jobs.size() != 1) return tune_several(list, sketches, a.options, machine, notice);
    const TuneResult result = tune_job(jobs.front(), a.options, machine);
    std::cout << (common.json ? json_text(to_json(std::vector{result})) : summary_text(result)) << std::flush;
    return result.best.empty() ? 1 : 0;
}

}  // namespace

void add_tune_command(CLI::App& program, const Registry& registry, Action& action) {
    auto a = std::make_shared<TuneArguments>();
    CLI::App* tune_app = program.add_subcommand(
        "tune", "Finds the best variant of a kernel for a problem, with a certificate");
    tune_app->footer(
        "Examples:\n"
        "  rooftune tune                                     the default jobs of configs/jobs/default.json\n"
        "  rooftune tune spmv --matrix my.mtx.gz             one matrix\n"
        "  rooftune tune spmv gen=poisson27,nx=120 --budget 90s\n"
        "  rooftune tune stencil points=7,nx=384,ny=384,nz=384,dtype=f64\n"
        "  rooftune tune matmul m=1024,n=1024,k=1024,dtype=f64 --backend opencl\n"
        "The same job resumes from the store instead of measuring again; --fresh starts over.");
    add_common(*tune_app, a->options.common);
    tune_app->add_option("family", a->family, "Kernel family (`rooftune list families`)");
    tune_app->add_option("problem", a->pieces, "Problem as key=value[,key=value…]");
    tune_app->add_option("--matrix", a->matrix,
                         "Matrix Market file, plain or gzip (the same as matrix=FILE)");
    tune_app->add_option("--job", a->job_file,
                         "Job file with several problems (configs/schema/job.schema.json)");
    tune_app
        ->add_option(
            "--budget", a->budget,
            "A time like 90s or 2m, a number of evaluations like 200, or both like 90s,200: whichever "
            "ends first; finals and audit are inside it, 0 measures nothing (default: 60s a problem)")
        ->allow_extra_args(false);
    tune_app
        ->add_option("--epsilon", a->options.epsilon,
                     "Stop when nothing left can be faster by more than this share")
        ->check(CLI::Range(0.0, 10.0))
        ->capture_default_str();
    tune_app
        ->add_option(
            "--patience", a->options.patience,
            "Stop after so many evaluations without improvement beyond noise (default: 32, up to 100 in "
            "large spaces, and not before 0.7 % of the space were evaluated, at least 80 variants and at "
            "most 250; in a job, 20 to 50 and no least for a problem that another one has taught)")
        ->check(CLI::PositiveNumber);
    tune_app
        ->add_option(
            "--audit", a->options.audit,
            "Excluded and set aside variants to measure all the same; like problems of a job share them")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    tune_app
        ->add_option("--only", a->options.only,
                     "Cut the space: parameter=value|value; may be given several times")
        ->allow_extra_args(false);
    tune_app
        ->add_option(
            "--where", a->where,
            "Cut the space by a rule on its parameters, like \"rows * unroll <= 8\" or \"threads == 2 || "
            "format == 'sell'\"; names in quotes; holds where a parameter that it names does not exist; "
            "may be given several times")
        ->allow_extra_args(false);
    tune_app->add_flag("--fresh", a->options.fresh, "Measure everything again, whatever the store holds");
    tune_app->add_option("--strategy", a->options.strategy,
                         "What decides the order of measuring: bounds (the default), or " + strategy_names() +
                             "; each obeys the bounds unless --no-bounds is given");
    tune_app->add_flag("--dry-run", a->dry, "Bounds of the most promising variants; measures no variant");
    tune_app->add_flag("--no-bounds", a->options.no_bounds,
                       "Exclude nothing (to see what the bounds are worth)");
    tune_app->add_flag(
        "--exhaustive", a->options.exhaustive,
        "Measure every variant, excluded ones too, without a budget (to check the certificate)");
    tune_app->add_option("--trace", a->options.trace, "File for the search's decisions, one a line");
    tune_app->callback([a, &registry, &action] { action = [a, &registry] { return tune(*a, registry); }; });
}

}  // namespace rooftune
