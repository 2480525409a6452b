#include "tuner/track/compare_arms.h"

#include <cctype>

#include "kernels/runtime/error.h"
#include "tuner/base/execute.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/text_width.h"
#include "tuner/engine/worker_program.h"
#include "tuner/measure/order_interval.h"
#include "tuner/measure/statistics.h"
#include "tuner/track/printed_number.h"

namespace rooftune {
namespace {

using track::Arm;

// Where one turn's time goes: five batches, of which the shortest counts.
constexpr double kTurnSeconds = 0.1;
constexpr int kBatches = 5;
constexpr double kProbeSeconds = 0.03;

// What prepares a turn may flush, copy or build.
constexpr double kPrepareSeconds = 600.0;
constexpr std::size_t kPrintedEnd = 400;

std::size_t side_of(Arm arm) {
    return arm == Arm::candidate ? 1 : 0;
}

// The end of what a program printed, on one line.
std::string printed_end(std::string text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
    if (text.size() > kPrintedEnd) text = "…" + text.substr(text.size() - kPrintedEnd);
    return printable(text);
}

}  // namespace

bool ScreenedArms::interrupted() {
    return rooftune::interrupted();
}

void ScreenedArms::progress(int rounds, const track::RoundTimes& times) {
    screen_->rounds(rounds, track::kMostRounds, median(times.base), in_seconds_);
}

VariantArms::VariantArms(const WorkerSetup& setup, int shared_descriptor, const Values& base,
                         const Values& candidate, const std::vector<Ceiling>& watched, double limit,
                         const CommonFlags& common, MeasuringScreen& screen)
    : ScreenedArms(screen, true),
      turns_(kThisProgram, setup, shared_descriptor, {base, candidate},
             {kBatches, kTurnSeconds / kBatches, limit, common.seed}),
      prober_(kThisProgram, setup, shared_descriptor, {}, {}) {
    begins();
    if (watched.empty()) return;
    // Also the warm-up of the prober: what it cannot probe here, and what it needs of memory, shows now.
    std::string why;
    const std::vector<Ceiling> fresh = prober_.probe(watched, kProbeSeconds, why);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        if (fresh[i].max > 0.0) watched_.push_back(watched[i]);
    }
    rates_.resize(watched_.size());
    begins();
}

Turn VariantArms::take_control() {
    std::string why;
    const std::vector<Ceiling> fresh = prober_.probe(watched_, kProbeSeconds, why);
    if (fresh.empty()) return failed_turn(why);
    for (std::size_t i = 0; i < fresh.size(); ++i) rates_[i].push_back(fresh[i].max);
    Turn turn;
    turn.seconds = 1.0 / fresh.front().max;  // of one unit of work
    return turn;
}

Turn VariantArms::take(Arm arm) {
    if (arm == Arm::control) return take_control();
    Turn turn = turns_.take(side_of(arm));
    // At once and not before the next turn: the control is measured beside no process that still holds a
    // problem.
    turns_.renew();
    return turn;
}

ProgramArms::ProgramArms(std::vector<ProgramArm> programs, const ProgramRules& rules, MeasuringScreen& screen)
    : ScreenedArms(screen, !rules.reads_time), programs_(std::move(programs)), rules_(rules) {
    if (rules_.control) control_.emplace(*rules_.control);
    begins();
}

Turn ProgramArms::take(Arm arm) {
    Turn turn;
    if (arm == Arm::control) {
        turn.seconds = control_->seconds();
        return turn;
    }
    const ProgramArm& program = programs_[arm == Arm::again ? 0 : track::number_of(arm)];
    prepare(program);
    if (interrupted()) return failed_turn("interrupted");
    const Execution run =
        execute(program.words, rules_.limit, {.folder = program.folder, .limit_flag = "--limit"});
    if (run.end != Execution::End::exited || run.status != 0) return failed_turn(run.detail);
    turn.disturbed = run.disturbed;
    turn.seconds = run.seconds;
    turn.step = stopwatch_.resolution();
    if (!rules_.reads_time) return turn;
    const auto printed = track::last_number(run.output);
    if (!printed) return failed_turn("it printed no number, which --reads-time needs");
    turn.seconds = printed->value;
    turn.step = printed->step;
    return turn;
}

void prepare(const ProgramArm& program) {
    if (program.prepare.empty()) return;
    const Execution run = execute(program.prepare, kPrepareSeconds);
    if (run.detail.empty() || run.end == Execution::End::interrupted) return;
    const std::string printed = printed_end(run.output);
    throw InputError("--prepare '" + program.prepare_text + "': " + run.detail +
                     (printed.empty() ? "" : "; it printed: " + printed) +
                     "; mend the command, or leave --prepare out");
}

}  // namespace rooftune
