// `rooftune ladder FAMILY …`: what each of a family's optimisations gives, added one by one to the naive
// variant until it is the best one, and what each is still worth to that.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "kernels/runtime/kernels_build.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/date.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/standard_output.h"
#include "tuner/command/common_flags.h"
#include "tuner/command/notices.h"
#include "tuner/command/tune_screen.h"
#include "tuner/engine/binding_ceiling.h"
#include "tuner/formats/result_json.h"
#include "tuner/ladder/commands.h"
#include "tuner/ladder/json.h"
#include "tuner/ladder/ladder_best.h"
#include "tuner/ladder/ladder_budget.h"
#include "tuner/ladder/ladder_field.h"
#include "tuner/ladder/ladder_svg.h"
#include "tuner/ladder/ladder_text.h"
#include "tuner/store/machine_lock.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;
struct LadderArguments {
    CommonFlags common;
    std::string family, matrix, config, svg;
    std::vector<std::string> pieces;
    std::string budget;  ///< empty: what share_budget() gives
    double limit = 10.0;
};

Job job_of_words(const LadderArguments& a, const Registry& registry) {
    Job job;
    name_problem(registry, a.family, job);
    for (const std::string& piece : a.pieces) add_to_spec(piece, job.problem);
    if (!a.matrix.empty() && !job.problem.emplace("matrix", a.matrix).second)
        throw InputError("the matrix is given twice, by --matrix and by matrix=; give it once");
    return job;
}

Job job_of_config(const TuneResult& tuned, const Registry& registry) {
    Job job;
    job.family = &family_named(registry, tuned.family);
    job.problem = tuned.problem;
    job.state = tuned.state;
    job.backend = tuned.backend;
    return job;
}

// The threads and the device that the best was tuned on, unless the user says others.
void adopt(const TuneResult& tuned, CommonOptions& common) {
    if (tuned.backend == "opencl") {
        if (common.device.empty()) common.device = tuned.device;
    } else if (common.threads == 0 && common.cpus.empty()) {
        common.threads = tuned.threads;
    }
}

struct Start {
    Job job;
    CommonFlags common;
    std::optional<ConfigFile> best;  ///< empty: to be looked for, or tuned
};

Start start_of(const LadderArguments& a, const Registry& registry) {
    Start start{{}, a.common, {}};
    const bool words = !a.family.empty() || !a.pieces.empty() || !a.matrix.empty();
    if (words && a.family.empty())
        throw InputError("a problem needs its family first, like `rooftune ladder spmv --matrix FILE`");
    if (!words && a.config.empty())
        throw InputError(
            "give a problem, like `rooftune ladder matmul m=512,n=512,k=512`, or a tuned --config");
    if (words) start.job = job_of_words(a, registry);
    if (!a.config.empty()) {
        start.best = ConfigFile{a.config, read_tuned_config(a.config)};
        const TuneResult& tuned = start.best->config.result;
        const Job tuned_job = job_of_config(tuned, registry);
        if (words) {
            const auto problem = start.job.family->problem(start.job.problem);
            if (start.job.family != tuned_job.family || problem->digest() != tuned.digest)
                throw InputError("--config " + a.config + ": was tuned for " + tuned.title + ", not for " +
                                 problem->title() + "; leave out one of the two");
        }
        start.job = tuned_job;
        adopt(tuned, start.common);
    }
    start.job.loaded = start.job.family->problem(start.job.problem);
    if (start.best && start.job.loaded->digest() != start.best->config.result.digest)
        throw InputError(a.config + ": the problem " + start.job.loaded->title() +
                         " is not the one that was tuned (its content changed); tune it again");
    return start;
}

// The config of a fresh tune; nothing where no variant works or Ctrl-C came first.
std::optional<ConfigFile> tuned_now(Job job, double seconds, const CommonFlags& common, MachineModel& machine,
                                    bool budget_given, const Notice& notice) {
    notice(ladder::tuned_first_text(seconds, budget_given));
    TuneOptions options;
    options.common = common;
    job.budget.seconds = seconds;
    TuneScreen screen(common.quiet);
    const TuneResult result = tune_job(job, options, machine, &screen);
    if (interrupted() || result.config_file.empty()) return std::nullopt;
    return ConfigFile{result.config_file, read_tuned_config(result.config_file)};
}

struct Spaces {
    std::optional<Space> single;  ///< where there are threads to add
    ladder::Ends ends;
};

Spaces spaces_of(const Setting& s, const ConfigFile& best) {
    Spaces spaces;
    ladder::Ends& ends = spaces.ends;
    ends.all = s.space.get();
    ends.naive = ends.bottom = s.space->to_map(s.naive);
    std::string why;
    if (!s.space->from_map(best.config.result.best, why))
        throw InputError(best.path + ": its variant does not exist here: " + why);
    ends.best = best.config.result.best;
    if (s.target.backend == Backend::cpu && s.target.threads > 1) {
        Target one = s.target;
        one.threads = 1;
        spaces.single = s.family->space(*s.problem, one);
        ends.bottom = spaces.single->to_map(s.family->naive_variant(*s.problem, *spaces.single, one));
    }
    return spaces;
}

ladder::Subject subject_of(const Setting& s, const Machine& machine) {
    ladder::Subject subject;
    subject.family = s.family->name();
    subject.problem = s.problem->spec();
    subject.title = s.problem->title();
    subject.digest = s.problem->digest();
    subject.dtype = to_text(s.problem->dtype());
    subject.state = to_text(s.state);
    subject.backend = to_text(s.target.backend);
    if (s.target.backend == Backend::opencl) subject.device = s.target.device.name;
    subject.threads = s.target.threads;
    subject.space_version = s.space->version();
    subject.machine_id = machine.id;
    subject.machine_name = machine.name;
    subject.flops_nominal = s.problem->flops_nominal();
    return subject;
}

std::optional<ladder::Result> climb(const Setting& s, const Start& start, const Machine& machine,
                                    const LadderArguments& a, double budget) {
    Spaces spaces = spaces_of(s, *start.best);
    if (spaces.single) spaces.ends.single = &*spaces.single;
    const ladder::Plan plan = plan_of(s.family->ladder(*s.space, s.target), spaces.ends);
    const Machine view = machine_of(machine, s.target.device.id);
    std::string why;
    const Variant best = s.space->from_map(spaces.ends.best, why).value();
    const Demoted demoted = demoted_terms(start.best->config.result);
    const SharedProblem shared(s);
    const MachineLock lock([] { return !interrupted(); });
    if (!lock.held()) return std::nullopt;
    LadderField field(s, start.job, shared.descriptor(), plan, watched_ceilings(s, view, best, demoted),
                      a.limit, budget, start.common);
    ladder::RotationRules rules;
    rules.seconds = budget;
    const ladder::MeasuredRounds measured = ladder::measure(field, plan.variants.size(), rules);
    const bool threads = s.target.backend == Backend::cpu;
    ladder::Result result = ladder::result_of(
        plan, measured, s.family->naive_phrase(s.target.backend) + (threads ? " on 1 thread" : ""));
    const RoofBeside roof = roof_beside(s, view, field.watched(), field.rates(), demoted);
    result.subject = subject_of(s, machine);
    result.created = utc_now();
    result.kernels_build = kernels_build();
    result.config = start.best->path;
    result.config_created = start.best->config.created;
    if (start.best->config.result.machine_id == machine.id)
        result.tuned_seconds = start.best->config.result.seconds.median;
    result.roof_seconds = roof.seconds;
    result.roof_now_seconds = roof_now_for(roof, result.best_time().median);
    if (roof.binding) result.ceiling = describe(*roof.binding);
    return result;
}

std::string ladder_path(const Start& start) {
    const fs::path beside = ladder::ladder_file_of(start.best->path);
    return start.common.out.empty() ? fs::absolute(beside).string()
                                    : (fs::absolute(start.common.out) / beside.filename()).string();
}

// Where a ladder is written: one that Ctrl-C cut short takes no place of a whole one.
std::string place_of(const ladder::Result& result, const std::string& path) {
    return result.interrupted && fs::exists(path) ? fs::path(path).replace_extension(".stopped.json").string()
                                                  : path;
}

// What was measured by Ctrl-C is written as well; a round that never came to a time is nothing.
int show(const ladder::Result& result, const LadderArguments& a, const std::string& path) {
    const bool nothing = !(result.bottom_time.median > 0.0) && !(result.best_time().median > 0.0);
    const bool written = !nothing || !result.interrupted;
    if (written) {
        write_atomically(path, json_text(to_json(result)));
        if (!a.svg.empty()) write_atomically(a.svg, ladder_svg(result));
    }
    if (a.common.json) {
        print(json_text(to_json(result)));
    } else {
        print_page(ladder_text(result, written ? path : ""));
    }
    if (!(result.best_time().median > 0.0)) return 1;
    return result.agrees ? 0 : 3;
}

int run_ladder(const LadderArguments& a, const Registry& registry) {
    ladder::BudgetShares budget = ladder::share_budget(a.budget, false);
    const Notice notice = notices(a.common.quiet);
    Start start = start_of(a, registry);
    const bool device = backend_of(start.job, start.common) == Backend::opencl;
    // A CPU device's threads inherit where they may run from the thread that finds it: before any is pinned.
    if (device) chosen_device(start.common, chosen_cpus(start.common));
    MachineModel machine = machine_model(start.common, chosen_cpus(start.common), notice);
    refuse_preset(machine, start.common);
    if (interrupted()) return 130;
    if (device)
        know_device(machine, chosen_cpus(start.common),
                    chosen_device(start.common, chosen_cpus(start.common)), notice);
    if (interrupted()) return 130;
    if (!start.best) {
        start.best = newest_config(start.job, *start.job.loaded, start.common, machine.machine.id, notice);
        if (!start.best) {
            budget = ladder::share_budget(a.budget, true);
            start.best = tuned_now(start.job, budget.tune, start.common, machine, !a.budget.empty(), notice);
        }
        if (!start.best) return interrupted() ? 130 : 1;
        adopt(start.best->config.result, start.common);
    }
    if (!applies_to(start.best->config, machine.machine.id))
        notice(start.best->path + " was tuned on another machine (" + start.best->config.result.machine_name +
               ")");
    const std::string path = ladder_path(start);
    make_folder(fs::path(path).parent_path().string());
    check_writable(fs::path(path).parent_path().string());  // before time is spent
    const Setting s = make_setting(start.job, start.common, {}, machine.machine);
    const std::optional<ladder::Result> result = climb(s, start, machine.machine, a, budget.rounds);
    if (!result) return 130;
    const std::string place = place_of(*result, path);
    if (place != path) notice("stopped; the whole ladder from before stays in " + path);
    return show(*result, a, place);
}

}  // namespace

void add_ladder_command(Command& program, const Registry& registry) {
    auto a = std::make_shared<LadderArguments>();
    Command app = program.command(
        "ladder",
        "What each optimisation gives: a family's, added one by one from the naive variant to the best");
    app.footer(
        "Examples:\n"
        "  rooftune ladder spmv --matrix my.mtx.gz --svg ladder.svg\n"
        "  rooftune ladder matmul m=512,n=512,k=512 --budget 60s\n"
        "  rooftune ladder --config results/local/tuned/stencil_128.json\n"
        "Each step has the best variant's values in what it and the steps before it release, and the naive "
        "variant's\n"
        "in the rest; what it is still worth is the best variant without it. All are measured in rotation, "
        "in "
        "fresh\n"
        "processes each round, eight rounds at least, and verified. The ladder is written beside the config, "
        "where\n"
        "`rooftune report` finds it.\n"
        "Exit status: 0 done; 1 the best variant gives no time; 2 bad usage or input; 3 the steps' product "
        "is "
        "not\n"
        "the whole, so that something changed in between; 130 after Ctrl-C, with what was measured written.");
    add_common(app, a->common);
    app.option("family", a->family, "Kernel family (`rooftune list families`)");
    app.option("problem", a->pieces, "Problem as key=value[,key=value…]");
    app.option("--matrix", a->matrix, "Matrix Market file, plain or gzip (the same as matrix=FILE)");
    app.option("--config", a->config,
               "Tuned config whose winner is the best (default: the newest of this problem in the results "
               "folder; without one it is tuned first)");
    app.option(
        "--budget", a->budget,
        "Time for the rounds, with its unit like 30s or 2m (a number alone, like 500, would be of "
        "evaluations, "
        "which a ladder does not count, and 0 is none); where the problem has to be tuned first, for both, "
        "two "
        "thirds of it for the tune (default: 30s, and 60s for the tune). Eight rounds are taken whatever "
        "they take");
    app.option("--limit", a->limit,
               "Seconds that one repetition of a variant may take; slower ones are left out")
        .positive()
        .shows_default();
    app.option("--svg", a->svg, "SVG file to draw: the steps stacked up to the roof");
    app.runs([a, &registry] { return run_ladder(*a, registry); });
}

}  // namespace rooftune
