#include "tuner/track/compare_programs.h"

#include <algorithm>
#include <filesystem>

#include "kernels/runtime/cpu_mask.h"
#include "kernels/runtime/error.h"
#include "tuner/base/clock.h"
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

constexpr double kControlSeconds = 0.02;  // what track::ControlLoop takes a turn

// Why a program cannot be compared, after one run that also brings it into the page cache; empty when it can.
// `seconds`: what that turn took, with what prepares it.
std::string trial(const ProgramArm& program, const ProgramCommand& command, const ProgramRules& how,
                  double& seconds) {
    const double start = monotonic_seconds();
    prepare(program);
    if (interrupted()) return "";
    const Execution run =
        execute(program.words, how.limit, {.folder = program.folder, .limit_flag = "--limit"});
    seconds = monotonic_seconds() - start;
    const std::string named = command.flag + " '" + command.text + "': ";
    if (run.end == Execution::End::not_started)
        throw InputError(named + run.detail +
                         "; give the path of a program, or the "
                         "name of one in PATH");
    if (!run.detail.empty()) return run.detail;
    if (how.reads_time && !track::last_number(run.output))
        throw InputError(named +
                         "it printed no number, which --reads-time needs; without "
                         "the flag the whole program is timed");
    return "";
}

// Turns of each program in rotation that nobody looks at, but for those that fail: they are absent from the
// rounds. False after Ctrl-C.
bool warm_up(ProgramArms& arms, int turns, std::vector<std::string>& absent) {
    for (int turn = 0; turn < turns; ++turn) {
        for (std::size_t i = 0; i < arms.count(); ++i) {
            if (!absent[i].empty()) continue;
            const Turn taken = arms.take(track::arm_at(i));
            if (interrupted()) return false;
            if (!taken.failure.empty()) absent[i] = "in a warm-up turn: " + taken.failure;
        }
    }
    return true;
}

std::string label_of(const ProgramCommand& command) {
    return command.label.empty() ? command.text : command.label;
}

Comparison described(const ProgramSet& set, std::size_t arm) {
    const ProgramCommand &base = set.arms.front(), &candidate = set.arms[arm];
    const std::string a = label_of(base), b = label_of(candidate);
    Comparison c;
    c.kernel = (set.title.empty() ? "" : set.title + ": ") + (a == b ? a : a + " → " + b);
    c.base = base.text;
    c.candidate = candidate.text;
    c.printed = set.reads_time;
    if (set.control) c.control = describe(*set.control);
    if (set.arms.size() > 2 || set.sweep) c.arm = track::letter_of(arm);
    c.swept = set.sweep;
    return c;
}

track::SampleGroup samples_of(const ProgramSet& set, const track::SeveralCompared& compared) {
    track::SampleGroup group;
    group.title = set.title.empty() ? set.arms.front().text : set.title;
    group.printed = set.reads_time;
    group.arms.push_back({"A", label_of(set.arms.front()), compared.shared.base});
    for (std::size_t i = 1; i < set.arms.size(); ++i)
        group.arms.push_back({track::letter_of(i), label_of(set.arms[i]), compared.arms[i - 1].times});
    group.arms.push_back({"A", "once more", compared.shared.again});
    return group;
}

track::Ranking ranked(const ProgramSet& set, const track::SeveralCompared& compared) {
    track::Ranking ranking;
    ranking.title = set.title;
    ranking.printed = set.reads_time;
    ranking.swept = set.sweep;
    for (const track::RankedArm& place : track::ranking_of(compared, set.pairs_together)) {
        track::Ranking::Arm arm{track::letter_of(place.arm), label_of(set.arms[place.arm]), {}, place};
        if (place.arm > 0) arm.verdict = compared.arms[place.arm - 1].judgement.verdict;
        ranking.arms.push_back(std::move(arm));
    }
    return ranking;
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
    CpuMask cpus;
};

OnProcessors::OnProcessors(const std::vector<int>& cpus) : before_(std::make_unique<Mask>()) {
    before_->cpus = CpuMask::of_thread();
    if (before_->cpus.empty() || !CpuMask(cpus).give_to())
        throw EnvironmentError("cannot stay on the chosen processors; try without --cpus and --threads");
}

OnProcessors::~OnProcessors() {
    before_->cpus.give_to();
}

std::vector<Comparison> unmeasured_comparisons(const ProgramSet& set, const std::string& why, double delta) {
    std::vector<Comparison> comparisons;
    for (std::size_t i = 1; i < set.arms.size(); ++i) {
        comparisons.push_back(described(set, i));
        comparisons.back().judgement = track::invalid(why, delta);
    }
    return comparisons;
}

std::optional<ProgramsCompared> compare_programs(const ProgramSet& set, const CommonFlags& common,
                                                 const CompareRules& rules, const std::string& machine,
                                                 MeasuringScreen& screen) {
    std::vector<ProgramArm> programs;
    for (const ProgramCommand& command : set.arms) {
        programs.push_back(program_in(command.folder, command.text, command.flag));
        if (command.prepare.empty()) continue;
        programs.back().prepare = command_words(command.prepare, "--prepare");
        programs.back().prepare_text = command.prepare;
    }
    const ProgramRules how{.reads_time = set.reads_time, .control = set.control, .limit = rules.limit};
    track::ComparisonRules judging{common.seed, delta_for(common, rules, machine), set.together, {}};
    // Programs inherit where they may run: all arms, and the control, on the same processors. What is built
    // between two comparisons may run on all.
    const OnProcessors stay(chosen_cpus(common));
    MachineLock lock([] { return !interrupted(); });
    if (!lock.held()) return std::nullopt;
    lock.lend();  // what is compared, or prepares it, may be a rooftune
    double round = how.control ? kControlSeconds : 0.0, each_once = 0.0;
    for (std::size_t i = 0; i < programs.size(); ++i) {
        double seconds = 0.0;
        judging.absent.push_back(trial(programs[i], set.arms[i], how, seconds));
        if (interrupted()) return std::nullopt;
        round += i == 0 ? 2.0 * seconds : seconds;
        each_once += seconds;
    }
    // Of a scan the others are taken for as long as this one.
    Cost cost = cost_of_programs(round, set.together > 1);
    cost.before = static_cast<double>(set.warmup) * each_once;
    screen.expects(std::vector<Cost>(screen.count(), cost));
    screen.measures();
    ProgramArms arms(programs, how, screen);
    if (!warm_up(arms, set.warmup, judging.absent)) return std::nullopt;
    const track::SeveralCompared compared = track::compare_several(arms, judging);
    if (compared.interrupted && compared.shared.base.empty()) return std::nullopt;
    ProgramsCompared result;
    for (std::size_t i = 1; i < set.arms.size(); ++i) {
        result.comparisons.push_back(described(set, i));
        Comparison& c = result.comparisons.back();
        c.judgement = compared.arms[i - 1].judgement;
        c.dropped = compared.dropped;
        c.base_seconds = median(compared.shared.base);
        c.candidate_seconds = median(compared.arms[i - 1].times);
    }
    // How far A is from itself is one fact, however many are compared with it.
    const auto longest = std::max_element(
        result.comparisons.begin(), result.comparisons.end(),
        [](const Comparison& a, const Comparison& b) { return a.judgement.rounds < b.judgement.rounds; });
    remember_noise(common, machine, *longest, screen.notices());
    result.comparisons.front().samples = samples_of(set, compared);
    if (set.arms.size() > 2 || set.sweep) result.ranking = ranked(set, compared);
    return result;
}

}  // namespace rooftune
