#include "tuner/track/compare_programs.h"

#include <sched.h>

#include <filesystem>

#include "kernels/runtime/error.h"
#include "tuner/base/command_words.h"
#include "tuner/base/execute.h"
#include "tuner/base/interrupt.h"
#include "tuner/measure/statistics.h"
#include "tuner/store/machine_lock.h"
#include "tuner/track/compare_arms.h"
#include "tuner/track/printed_number.h"

namespace rooftune {
namespace {

using track::Comparison;

// Why a program cannot be compared, after one run that also brings it into the page cache; empty when it can.
std::string trial(const ProgramArm& program, const std::string& flag, const std::string& text,
                  bool reads_time, double limit) {
    const Execution run = execute(program.words, limit, {.folder = program.folder, .limit_flag = "--limit"});
    if (run.end == Execution::End::not_started) {
        throw InputError(flag + " '" + text + "': " + run.detail +
                         "; give the path of a program, or the "
                         "name of one in PATH");
    }
    if (!run.detail.empty()) return run.detail;
    if (reads_time && !track::last_number(run.output)) {
        throw InputError(flag + " '" + text +
                         "': it printed no number, which --reads-time needs; without "
                         "the flag the whole program is timed");
    }
    return "";
}

// A program that lies in its folder is meant by its name alone as well.
ProgramArm program_in(const std::string& folder, const std::string& command, const std::string& flag) {
    ProgramArm program{command_words(command, flag), folder};
    std::error_code none;
    std::string& name = program.words.front();
    if (!folder.empty() && name.find('/') == std::string::npos &&
        std::filesystem::is_regular_file(std::filesystem::path(folder) / name, none))
        name = "./" + name;
    return program;
}

}  // namespace

struct OnProcessors::Mask {
    cpu_set_t cpus;
};

OnProcessors::OnProcessors(const std::vector<int>& cpus) : before_(std::make_unique<Mask>()) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    for (const int cpu : cpus) CPU_SET(static_cast<std::size_t>(cpu), &mask);
    if (sched_getaffinity(0, sizeof before_->cpus, &before_->cpus) != 0 ||
        sched_setaffinity(0, sizeof mask, &mask) != 0)
        throw EnvironmentError("cannot stay on the chosen processors; try without --cpus and --threads");
}

OnProcessors::~OnProcessors() {
    sched_setaffinity(0, sizeof before_->cpus, &before_->cpus);
}

std::optional<Comparison> compare_programs(const ProgramPair& pair, const CommonFlags& common,
                                           const CompareRules& rules, const std::string& machine,
                                           const Notice& notice) {
    const ProgramArm base = program_in(pair.base_folder, pair.base, pair.base_flag);
    const ProgramArm candidate = program_in(pair.candidate_folder, pair.candidate, pair.candidate_flag);
    Comparison result;
    result.kernel = pair.base == pair.candidate ? pair.base : pair.base + " → " + pair.candidate;
    result.base = pair.base;
    result.candidate = pair.candidate;
    result.printed = pair.reads_time;
    if (pair.control) result.control = describe(*pair.control);
    const double delta = delta_for(common, rules, machine);
    // Programs inherit where they may run: all arms, and the control, on the same processors. What is built
    // between two comparisons may run on all.
    const OnProcessors stay(chosen_cpus(common));
    const MachineLock lock([] { return !interrupted(); });
    if (!lock.held()) return std::nullopt;
    for (const bool is_base : {true, false}) {
        const std::string why =
            is_base ? trial(base, pair.base_flag, pair.base, pair.reads_time, rules.limit)
                    : trial(candidate, pair.candidate_flag, pair.candidate, pair.reads_time, rules.limit);
        if (interrupted()) return std::nullopt;
        if (why.empty()) continue;
        result.judgement = track::invalid(std::string(is_base ? "A" : "B") + " gave no time: " + why, delta);
        return result;
    }
    ProgramArms arms(base, candidate, pair.reads_time, pair.control, rules.limit, common.quiet);
    const track::Compared compared = track::compare(arms, {common.seed, delta});
    if (compared.interrupted) return std::nullopt;
    result.judgement = compared.judgement;
    result.dropped = compared.dropped;
    result.base_seconds = median(compared.times.base);
    result.candidate_seconds = median(compared.times.candidate);
    remember_noise(common, machine, result, notice);
    return result;
}

}  // namespace rooftune
