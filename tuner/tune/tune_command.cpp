#include <algorithm>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/standard_output.h"
#include "tuner/chart/roofline_svg.h"
#include "tuner/command/common_flags.h"
#include "tuner/command/described_program.h"
#include "tuner/command/tune_screen.h"
#include "tuner/engine/dry_run.h"
#include "tuner/engine/prepare_jobs.h"
#include "tuner/engine/strategy_choice.h"
#include "tuner/engine/tune_job.h"
#include "tuner/engine/tune_set.h"
#include "tuner/formats/result_json.h"
#include "tuner/tune/commands.h"
#include "tuner/tune/short_summary.h"
#include "tuner/tune/summary.h"
#include "tuner/tune/tuned_set_text.h"

namespace rooftune {
namespace {

struct TuneArguments {
    CommonFlags common;
    TuneOptions options;
    std::string family;
    std::vector<std::string> pieces;
    external::ProgramFlags program;  ///< its rules are `where`
    std::string matrix, job_file;
    std::vector<std::string> budget;  ///< each may hold several limits
    std::vector<std::string> where;   ///< constraints on the space of every job
    bool dry = false;
    bool verbose = false;  ///< the whole summary
};

std::string default_jobs() {
    return (std::filesystem::path(home_folder()) / "configs" / "jobs" / "default.json").string();
}

JobList jobs_of(const TuneArguments& a, const Registry& registry) {
    const bool problem_given = !a.pieces.empty() || !a.matrix.empty();
    const bool described = a.program.any();
    if (!a.job_file.empty() && (!a.family.empty() || problem_given || described)) {
        throw InputError("--job and a problem on the command line exclude each other; give one of them");
    }
    JobList list;
    std::vector<Job>& jobs = list.jobs;
    if (described) {
        std::vector<std::string> words = a.pieces;
        if (!a.family.empty()) words.insert(words.begin(), a.family);
        if (!a.matrix.empty()) words.push_back("--matrix");
        external::ProgramFlags flags = a.program;
        flags.rules = a.where;
        jobs.push_back(job_described(flags, words, registry));
    } else if (a.family.empty()) {
        if (problem_given)
            throw InputError("a problem needs its family first, like `rooftune tune spmv --matrix FILE`");
        list = read_jobs(a.job_file.empty() ? default_jobs() : a.job_file, registry);
    } else {
        Job job;
        name_problem(registry, a.family, job);
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
        if (described) break;  // they are part of the description, and may name its sizes
        for (const std::string& rule : a.where) job.constraints.push_back({rule, "--where"});
    }
    return list;
}

std::string text_of(const TuneResult& result, bool verbose) {
    return verbose ? summary_text(result) : short_summary(result);
}

// One plot of all winners, beside the plots of each.
void plot_together(const std::vector<TuneResult>& results, const Machine& machine, bool json) {
    const auto drawn = std::find_if(results.begin(), results.end(),
                                    [](const TuneResult& r) { return !r.plot_file.empty(); });
    if (drawn == results.end()) return;
    const std::filesystem::path folder = std::filesystem::path(drawn->plot_file).parent_path();
    const std::string file = (folder / "winners.svg").string();
    write_atomically(file, roofline_svg(results, machine));
    if (!json) print_page("\nAll winners in one plot: " + file + "\n");
}

// A program that reads the document is told what a person is.
std::vector<TuneResult> with_advice(std::vector<TuneResult> results) {
    for (TuneResult& result : results) result.next = advice(result);
    return results;
}

int tune_several(const JobList& list, const std::vector<ProblemSketch>& sketches, const TuneOptions& options,
                 MachineModel& machine, TuneScreen& screen, bool json, bool verbose) {
    const auto notice = [&](const std::string& text) { screen.notice(text); };
    bool first = true;
    // What cannot be printed must not take the problems that are still to be tuned.
    std::exception_ptr unprinted;
    SetObserver observer;
    observer.notice = notice;
    observer.tune = &screen;
    observer.result = [&](const TuneResult& result) {
        if (json || unprinted) return;
        try {
            print_page((first ? "" : "\n") + text_of(result, verbose));
        } catch (const EnvironmentError&) {
            unprinted = std::current_exception();
        }
        first = false;
    };
    const SetOutcome outcome = tune_set(list, sketches, options, machine, observer);
    if (unprinted) {
        if (outcome.results.size() > 1) plot_together(outcome.results, machine.machine, true);
        std::rethrow_exception(unprinted);
    }
    if (json) {
        print(json_text(to_json(with_advice(outcome.results))));
        notice("all winners and the rule between them: " + outcome.file);
    } else {
        if (outcome.results.size() > 1)
            print_page("\n" + (verbose ? several_table(outcome.results) : short_table(outcome.results)));
        print_page("\n" + tuned_set_text(outcome.set, outcome.file));
    }
    if (outcome.results.size() > 1) plot_together(outcome.results, machine.machine, json);
    return outcome.all_work ? 0 : 1;
}

int tune(const TuneArguments& a, const Registry& registry) {
    JobList list = jobs_of(a, registry);
    std::vector<Job>& jobs = list.jobs;
    TuneOptions options = a.options;
    options.common = a.common;
    TuneScreen screen(a.common.quiet);
    PreparedJobs prepared =
        prepare_jobs(jobs, options, !a.dry, [&](const std::string& text) { screen.notice(text); });
    if (!prepared.machine) return 130;
    MachineModel& machine = *prepared.machine;
    if (a.dry) {
        Json document = {{"schema", kDryRunSchema}, {"problems", Json::array()}};
        for (const Job& job : jobs) {
            const DryRun dry = dry_run(job, options, machine);
            if (a.common.json) {
                document["problems"].push_back(to_json(dry));
            } else {
                print_page(dry_run_text(dry, a.verbose));
            }
        }
        if (a.common.json) print(json_text(document));
        return 0;
    }
    if (jobs.size() != 1)
        return tune_several(list, prepared.sketches, options, machine, screen, a.common.json, a.verbose);
    const TuneResult result = tune_job(jobs.front(), options, machine, &screen);
    if (a.common.json) {
        print(json_text(to_json(with_advice({result}))));
    } else {
        print_page(text_of(result, a.verbose));
    }
    return result.best.empty() ? 1 : 0;
}

}  // namespace

void add_tune_command(Command& program, const Registry& registry) {
    auto a = std::make_shared<TuneArguments>();
    Command tune_app =
        program.command("tune", "Finds the best variant of a kernel for a problem, with a certificate");
    tune_app.footer(
        "Examples:\n"
        "  rooftune tune                                     the default jobs of configs/jobs/default.json\n"
        "  rooftune tune spmv --matrix my.mtx.gz             one matrix\n"
        "  rooftune tune spmv gen=poisson27,nx=120 --budget 90s\n"
        "  rooftune tune stencil points=7,nx=384,ny=384,nz=384,dtype=f64\n"
        "  rooftune tune matmul m=1024,n=1024,k=1024,dtype=f64 --backend opencl\n"
        "  rooftune tune mine.cpp n=1e6                      a kernel of your own (`rooftune new mine.cpp`)\n"
        "  rooftune tune mine.json                           one that JSON describes, or a problem in T1\n"
        "  rooftune tune --command './bench --tile {tile}' --parameter tile=8:512:x2   any program\n"
        "The same job resumes from the store instead of measuring again; --fresh starts over.");
    add_common(tune_app, a->common);
    tune_app.option("family", a->family,
                    "Kernel family (`rooftune list families`), or the file of a kernel of your own");
    tune_app.option("problem", a->pieces, "Problem as key=value[,key=value…]");
    tune_app.option("--matrix", a->matrix, "Matrix Market file, plain or gzip (the same as matrix=FILE)");
    tune_app.option("--job", a->job_file, "Job file with several problems (configs/schema/job.schema.json)");
    tune_app
        .option(
            "--budget", a->budget,
            "How long to search a problem: `30s` (500ms, 2m, 1h) is a time; `500` without a unit is never a "
            "time, but so many evaluations (each measures one variant once); `30s,500` ends with whichever "
            "ends first; `0` measures nothing (what the bounds alone say is shown by `--dry-run`). Finals "
            "and "
            "audit count towards it and may end some seconds after it (default: 60s a problem)")
        .one_value_each();
    tune_app
        .option("--epsilon", a->options.epsilon,
                "Stop when nothing left can be faster by more than this share")
        .range(0.0, 10.0)
        .shows_default();
    tune_app
        .option("--patience", a->options.patience,
                "Stop after so many evaluations without improvement beyond noise (default: 32, up to 100 in "
                "large spaces, and not before 0.7 % of the space were evaluated, at least 80 variants and at "
                "most 250; in a job, 20 to 50 and no least for a problem that another one has taught)")
        .positive();
    tune_app
        .option("--audit", a->options.audit,
                "Variants to measure all the same: half of them excluded or set aside, half drawn from those "
                "left unmeasured or raced out; like problems of a job share them")
        .not_negative()
        .shows_default();
    tune_app
        .option("--only", a->options.only,
                "Cut the space: parameter=value|value, several between commas, a value that has a comma in "
                "quotes; "
                "may be given several times")
        .one_value_each();
    tune_app
        .option("--where", a->where,
                "Cut the space by a rule on its parameters, like \"rows * unroll <= 8\" or \"threads == 2 || "
                "format == 'sell'\"; names in quotes; holds where a parameter that it names does not exist; "
                "may be given several times")
        .one_value_each();
    add_program_description(tune_app, a->program);
    tune_app.flag("--fresh", a->options.fresh, "Measure everything again, whatever the store holds");
    tune_app.option(
        "--strategy", a->options.strategy,
        "What decides the order of measuring: bounds (the default), or " + strategy_names() +
            "; each obeys the bounds unless --no-bounds is given, and only bounds extends a space whose "
            "best sits on an edge of it");
    tune_app.flag("-v,--verbose", a->verbose,
                  "The whole summary: how the winner was found, what was ruled out, what the audit saw; with "
                  "--dry-run all variants that it names, with their parameters");
    tune_app.flag("--dry-run", a->dry, "Bounds of the most promising variants; measures no variant");
    tune_app.flag("--no-bounds", a->options.no_bounds, "Exclude nothing (to see what the bounds are worth)");
    tune_app.flag(
        "--exhaustive", a->options.exhaustive,
        "Measure every variant on offer at first, excluded ones too, without a budget (to check the "
        "certificate)");
    tune_app.option("--trace", a->options.trace, "File for the search's decisions, one a line");
    tune_app.runs([a, &registry] { return tune(*a, registry); });
}

}  // namespace rooftune
