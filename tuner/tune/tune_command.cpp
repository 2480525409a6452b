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
#include "tuner/base/si.h"
#include "tuner/base/standard_output.h"
#include "tuner/chart/roofline_svg.h"
#include "tuner/command/common_flags.h"
#include "tuner/command/described_program.h"
#include "tuner/command/node_flags.h"
#include "tuner/command/tune_screen.h"
#include "tuner/engine/configs_folder.h"
#include "tuner/engine/dry_run.h"
#include "tuner/engine/prepare_jobs.h"
#include "tuner/engine/setting.h"
#include "tuner/engine/strategy_choice.h"
#include "tuner/engine/tune_job.h"
#include "tuner/engine/tune_set.h"
#include "tuner/formats/result_json.h"
#include "tuner/tune/commands.h"
#include "tuner/tune/short_summary.h"
#include "tuner/tune/summary.h"
#include "tuner/tune/thread_counts.h"
#include "tuner/tune/tune_nodes.h"
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
    std::string threads;              ///< one number or several
    std::vector<std::string> budget;  ///< each may hold several limits
    std::vector<std::string> where;   ///< constraints on the space of every job
    bool dry = false;
    bool verbose = false;  ///< the whole summary
    ClusterOptions cluster;
};

std::string default_jobs() {
    if (const std::string missing = missing_configs(); !missing.empty()) throw InputError(missing);
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

// What is tuned for so many threads follows.
std::string heading_of(int threads, bool is_first) {
    return (is_first ? "" : "\n") + std::string("# On ") + format_plural(threads, "thread") + "\n\n";
}

// What the files of a job are told apart by where it is tuned for several numbers of threads: "_2_threads".
std::string suffix_of(int threads) {
    return "_" + std::to_string(threads) + (threads == 1 ? "_thread" : "_threads");
}

// One plot of all winners, beside the plots of each.
void plot_together(const std::vector<TuneResult>& results, const Machine& machine, const std::string& suffix,
                   bool json) {
    const auto drawn = std::find_if(results.begin(), results.end(),
                                    [](const TuneResult& r) { return !r.plot_file.empty(); });
    if (drawn == results.end()) return;
    const std::filesystem::path folder = std::filesystem::path(drawn->plot_file).parent_path();
    const std::string file = (folder / ("winners" + suffix + ".svg")).string();
    write_atomically(file, roofline_svg(results, machine));
    if (!json) print_page("\nAll winners in one plot: " + file + "\n");
}

// A program that reads the document is told what a person is.
std::vector<TuneResult> with_advice(std::vector<TuneResult> results) {
    for (TuneResult& result : results) result.next = advice(result);
    return results;
}

// One tune of the command: of a problem or of a job of several, on one number of threads. What it found goes
// to `results`; in words it is told at once, unless the command answers in JSON.
class Tuning {
public:
    Tuning(const JobList& list, const PreparedJobs& prepared, MachineModel& machine, TuneScreen& screen,
           const TuneArguments& arguments)
        : list_(list),
          prepared_(prepared),
          machine_(machine),
          screen_(screen),
          a_(arguments),
          is_set_(list.jobs.size() != 1) {}

    // `suffix`: of the files that are one for all problems. False: a problem has no winner.
    bool tune(const TuneOptions& options, const std::string& suffix, std::vector<TuneResult>& results) {
        return is_set_ ? several(options, suffix, results) : one(options, results);
    }

private:
    bool one(const TuneOptions& options, std::vector<TuneResult>& results) {
        TuneResult result = tune_job(list_.jobs.front(), options, machine_, &screen_);
        const bool works = !result.best.empty();
        results.push_back(std::move(result));
        if (!a_.common.json) print_page(text_of(results.back(), a_.verbose));
        return works;
    }

    bool several(const TuneOptions& options, const std::string& suffix, std::vector<TuneResult>& results) {
        const bool json = a_.common.json;
        JobList list = list_;
        list.name += suffix;
        const auto notice = [&](const std::string& text) { screen_.notice(text); };
        bool first = true;
        // What cannot be printed must not take the problems that are still to be tuned.
        std::exception_ptr unprinted;
        SetObserver observer;
        observer.notice = notice;
        observer.tune = &screen_;
        observer.result = [&](const TuneResult& result) {
            if (json || unprinted) return;
            try {
                print_page((first ? "" : "\n") + text_of(result, a_.verbose));
            } catch (const EnvironmentError&) {
                unprinted = std::current_exception();
            }
            first = false;
        };
        const SetOutcome outcome = tune_set(list, prepared_.sketches, options, machine_, observer);
        results.insert(results.end(), outcome.results.begin(), outcome.results.end());
        const bool together = outcome.results.size() > 1;
        if (unprinted) {
            if (together) plot_together(outcome.results, machine_.machine, suffix, true);
            std::rethrow_exception(unprinted);
        }
        if (json) {
            notice("all winners and the rule between them: " + outcome.file);
        } else {
            if (together)
                print_page("\n" +
                           (a_.verbose ? several_table(outcome.results) : short_table(outcome.results)));
            print_page("\n" + tuned_set_text(outcome.set, outcome.file));
        }
        if (together) plot_together(outcome.results, machine_.machine, suffix, json);
        return outcome.all_work;
    }

    const JobList& list_;
    const PreparedJobs& prepared_;
    MachineModel& machine_;
    TuneScreen& screen_;
    const TuneArguments& a_;
    const bool is_set_;
};

// Leaves out what runs on a device, whose compute units are as many whatever the number of threads.
void leave_out_devices(std::vector<Job>& jobs, std::vector<ProblemSketch>& sketches,
                       const CommonOptions& common) {
    for (std::size_t i = jobs.size(); i-- > 0;) {
        if (backend_of(jobs[i], common) != Backend::opencl) continue;
        jobs.erase(jobs.begin() + static_cast<std::ptrdiff_t>(i));
        sketches.erase(sketches.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

int dry_runs(const TuneArguments& a, std::vector<Job>& jobs, PreparedJobs& prepared, TuneOptions options,
             const std::vector<int>& counts) {
    Json document = {{"schema", kDryRunSchema}, {"problems", Json::array()}};
    for (const int threads : counts) {
        options.common.threads = threads;
        if (counts.size() > 1 && !a.common.json) print_page(heading_of(threads, threads == counts.front()));
        for (const Job& job : jobs) {
            const DryRun dry = dry_run(job, options, *prepared.machine);
            if (a.common.json) {
                document["problems"].push_back(to_json(dry));
            } else {
                print_page(dry_run_text(dry, a.verbose));
            }
        }
        leave_out_devices(jobs, prepared.sketches, options.common);
        if (jobs.empty()) break;
    }
    if (a.common.json) print(json_text(document));
    return 0;
}

int tune(const TuneArguments& a, const Registry& registry) {
    const std::vector<int> given = thread_counts_from(a.threads);
    JobList list = jobs_of(a, registry);
    TuneOptions options = a.options;
    options.common = a.common;
    // Without any the number of threads is 0, which takes all.
    const std::vector<int> counts = given.empty() ? std::vector<int>{0} : given;
    const bool several = counts.size() > 1;
    if (!a.cluster.nodes.empty()) {
        if (a.dry) throw InputError("--dry-run is of this machine; leave --nodes out");
        if (counts.size() > 1)
            throw InputError("--nodes takes one number of --threads; run the command once for each");
        if (!options.trace.empty()) throw InputError("--trace is of a tune on this machine, without --nodes");
        options.common.threads = counts.front();
        return tune_job_on_nodes(std::move(list), options, a.cluster, a.common, a.verbose);
    }
    TuneScreen screen(a.common.quiet);
    PreparedJobs prepared = prepare_jobs(
        list.jobs, options, !a.dry, [&](const std::string& text) { screen.notice(text); }, counts);
    if (!prepared.machine) return 130;
    if (a.dry) return dry_runs(a, list.jobs, prepared, options, counts);
    const bool is_set = list.jobs.size() != 1;
    Tuning tuning(list, prepared, *prepared.machine, screen, a);
    std::vector<TuneResult> results;
    bool all_work = true;
    // The first: what stands in the way of one number need not in that of another.
    std::exception_ptr failed;
    const auto where = [](int threads) { return "with --threads " + std::to_string(threads) + ": "; };
    for (const int threads : counts) {
        if (interrupted() && threads != counts.front()) {
            all_work = false;
            break;
        }
        options.common.threads = threads;
        try {
            if (several && !a.common.json) print_page(heading_of(threads, threads == counts.front()));
            all_work = tuning.tune(options, several ? suffix_of(threads) : "", results) && all_work;
        } catch (const InputError& error) {
            if (!several) throw;
            if (!failed) failed = std::make_exception_ptr(InputError(where(threads) + error.what()));
        } catch (const EnvironmentError& error) {
            if (!several) throw;
            if (!failed) failed = std::make_exception_ptr(EnvironmentError(where(threads) + error.what()));
        }
        leave_out_devices(list.jobs, prepared.sketches, options.common);
        if (list.jobs.empty()) break;
    }
    if (failed && results.empty()) std::rethrow_exception(failed);
    if (a.common.json) {
        print(json_text(to_json(with_advice(results))));
    } else if (several && !is_set && results.size() > 1) {
        print_page("\n" + (a.verbose ? several_table(results) : short_table(results)));
    }
    if (failed) std::rethrow_exception(failed);
    return all_work ? 0 : 1;
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
        "  rooftune tune spmv --matrix my.mtx.gz --threads 1,2,4     for a node's usual bindings\n"
        "  rooftune tune mine.cpp n=1e6                      a kernel of your own (`rooftune new mine.cpp`)\n"
        "  rooftune tune mine.json                           one that JSON describes, or a problem in T1\n"
        "  rooftune tune --job jobs.json --nodes slurm      on all nodes of an allocation "
        "(docs/clusters.md)\n"
        "  rooftune tune --command './bench --tile {tile}' --parameter tile=8:512:x2   any program\n"
        "The same job resumes from the store instead of measuring again; --fresh starts over.");
    add_common(tune_app, a->common, a->threads);
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
            "ends first; `0` measures nothing (what the bounds alone say is shown by `--dry-run`). Loading "
            "the problem and probing what bounds it count towards it up to 60 % of it, and so do finals and "
            "audit; in a few seconds they may end a little after it. Waiting for others does not count "
            "(default: 60s a problem)")
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
    add_node_flags(tune_app, a->cluster);
    tune_app.option("--trace", a->options.trace, "File for the search's decisions, one a line");
    tune_app.runs([a, &registry] { return tune(*a, registry); });
}

}  // namespace rooftune
