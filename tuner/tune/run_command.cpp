// `rooftune run CONFIG`: measures a tuned config's winner again, against its default and naive
// variants, on this machine as it is now. Of a tuned set: the variant that its rule gives a problem.
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "kernels/runtime/error.h"
#include "tuner/base/command_words.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/joined.h"
#include "tuner/base/si.h"
#include "tuner/base/standard_output.h"
#include "tuner/base/text_width.h"
#include "tuner/command/common_flags.h"
#include "tuner/command/notices.h"
#include "tuner/engine/tune_job.h"
#include "tuner/external/declaration.h"
#include "tuner/formats/tuned_config.h"
#include "tuner/formats/tuned_set.h"
#include "tuner/store/machine_lock.h"
#include "tuner/tune/arms.h"
#include "tuner/tune/commands.h"
#include "tuner/tune/run_set.h"

namespace rooftune {
namespace {

struct RunArguments {
    CommonFlags common;
    std::string config;
    std::vector<std::string> problem;
    bool choose = false;
    std::string against;
    double seconds = 5.0;
    std::string file;  ///< for the text, besides
};

// Somebody's kernel in the place of a config: what is asked for is a tune, whose config can then be run.
void refuse_source(const std::string& config) {
    if (!external::language_of(config)) return;
    throw InputError(printable(config) +
                     ": is a source, and no tuned config; give one, like results/local/tuned/….json, "
                     "or tune the source first: `rooftune tune " +
                     printable(shell_word(config)) + "`");
}

int run_config(const RunArguments& a, const Registry& registry) {
    check_text_file(a.file);
    refuse_source(a.config);
    if (is_tuned_set(a.config)) {
        if (!a.against.empty())
            throw InputError("--against compares configs of one problem, not a tuned set");
        return run_set({a.common, a.config, a.problem, a.seconds, a.choose, a.file}, registry);
    }
    if (!a.problem.empty() || a.choose)
        throw InputError(a.config +
                         ": is the config of one problem; a problem and --choose belong to a tuned set");
    const TunedConfig config = read_tuned_config(a.config);
    const TuneResult& tuned = config.result;
    // Before this machine is measured for it.
    std::optional<TunedConfig> other;
    if (!a.against.empty()) other = read_tuned_config(a.against);
    CommonFlags common = a.common;
    if (common.threads == 0 && common.cpus.empty()) common.threads = tuned.threads;
    const Job job = job_of(tuned, registry);
    const Notice notice = notices(common.quiet);
    if (tuned.backend == "opencl") {
        if (common.device.empty()) common.device = tuned.device;
        chosen_device(common, chosen_cpus(common));
    }
    const MachineModel machine = machine_model(common, chosen_cpus(common), notice);
    const Setting s = make_setting(job, common, {}, machine.machine);
    if (s.problem->digest() != tuned.digest) {
        throw InputError(a.config + ": the problem " + s.problem->title() +
                         " is not the one that was tuned (its content changed); tune it again");
    }
    if (!applies_to(config, machine.machine.id)) {
        notice("this config was tuned on another machine (" + tuned.machine_name +
               "); the default variant is the safe choice here");
    }
    std::vector<RunArm> arms;
    std::vector<std::string> sentences;  // below the table; empty ones are none
    const auto add = [&](const char* name, const std::map<std::string, std::string>& values,
                         bool again = false) {
        std::string why;
        const auto variant = s.space->from_map(values, why);
        if (!variant)
            throw InputError(a.config + ": the " + std::string(name) +
                             " variant does not exist here: " + why);
        if (again)
            arms.push_back({name, *variant});
        else
            sentences.push_back(add_arm(arms, {name, *variant}));
    };
    add("tuned", tuned.best);
    if (other) {
        if (other->result.digest != tuned.digest || other->result.family != tuned.family) {
            throw InputError(a.against + ": tuned for another problem (" + other->result.title + ") than " +
                             a.config + "; only configs of one problem can be compared");
        }
        // The same variant on both sides is measured on both: then the ratio shows the noise.
        add("other", other->result.best, true);
    }
    add("default", tuned.fallback);
    add("naive", tuned.naive);

    const ArmsReport report = measure_arms(s, job, arms, a.seconds, common.seed + 7919, notice);
    if (interrupted()) return 130;
    const Json document = {{"schema", "rooftune/run/1"},
                           {"config", a.config},
                           {"seconds_when_tuned", tuned.seconds.median},
                           {"waited_seconds", MachineLock::waited_seconds()},
                           {"variants", report.variants}};
    std::string text = s.problem->title() + ", tuned " + config.created + " at " +
                       format_seconds(tuned.seconds.median) + "; now, interleaved:\n\n" + report.table;
    // The time of another machine, or on other threads, says nothing about this one.
    const bool as_tuned = tuned.backend == "opencl" || s.target.threads == tuned.threads;
    if (as_tuned && applies_to(config, machine.machine.id))
        sentences.insert(sentences.begin(), since_tuned(tuned.seconds, report.first, a.config));
    sentences.insert(sentences.begin(), report.below);
    std::erase(sentences, "");
    if (!sentences.empty()) text += "\n" + wrap(joined(sentences, " ", " ")) + "\n";
    if (!report.traffic.empty()) text += "\n" + report.traffic + "\n";
    answer(common, a.file, document.dump(2) + "\n", text);
    return report.first_works ? 0 : 1;
}

}  // namespace

void add_run_command(Command& program, const Registry& registry) {
    auto a = std::make_shared<RunArguments>();
    Command run = program.command(
        "run",
        "Measures a tuned config again, interleaved with its default and naive variants, or what a tuned set "
        "gives a problem");
    add_common(run, a->common);
    run.option("config", a->config, "Tuned config or tuned set (JSON)").required();
    run.option("problem", a->problem,
               "For a tuned set: the problem as key=value[,key=value…], its family before it where the set "
               "has several");
    run.flag("--choose", a->choose, "For a tuned set: only say which variant it gives, measure nothing");
    run.option("--against", a->against,
               "Another tuned config of the same problem, measured in the same rounds");
    run.option("--seconds", a->seconds, "Time to spend").positive().shows_default();
    add_text_file(run, a->file);
    run.runs([a, &registry] { return run_config(*a, registry); });
}

}  // namespace rooftune
