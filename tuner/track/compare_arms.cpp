#include "tuner/track/compare_arms.h"
#include "tuner/engine/worker_program.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tuner/base/execute.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/si.h"
#include "tuner/measure/order_interval.h"
#include "tuner/measure/statistics.h"
#include "tuner/track/printed_number.h"

namespace rooftune {
namespace {

using track::Arm;
using track::Turn;

// Where one turn's time goes: five batches, of which the shortest counts.
constexpr double kTurnSeconds = 0.1;
constexpr int kBatches = 5;
constexpr double kProbeSeconds = 0.03;
// Loading, converting and the first verification take as long as they take; later turns only fill the data.
constexpr double kUnknown = 120.0;
constexpr double kPatience = 8.0;

std::size_t side_of(Arm arm) {
    return arm == Arm::candidate ? 1 : 0;
}

Turn failed(std::string why) {
    Turn turn;
    turn.failure = std::move(why);
    return turn;
}

}  // namespace

ScreenedArms::ScreenedArms(std::string name, bool quiet, bool in_seconds)
    : progress_(quiet), started_(clock_.now()) {
    state_.has_unit = in_seconds;
    state_.phase = std::move(name);
    state_.budget_evaluations = track::kMostRounds;
}

bool ScreenedArms::interrupted() {
    return rooftune::interrupted();
}

void ScreenedArms::progress(int rounds, const track::RoundTimes& times) {
    state_.measured = static_cast<std::uint64_t>(rounds);
    state_.best_seconds = median(times.base);
    state_.elapsed_seconds = clock_.now() - started_;
    progress_.update(state_);
}

VariantArms::VariantArms(const Setting& setting, const WorkerSetup& setup, int shared_descriptor,
                         const Values& base, const Values& candidate, const std::vector<Ceiling>& watched,
                         double limit, const CommonOptions& common)
    : ScreenedArms("comparing " + setting.problem->title(), common.quiet, true),
      setup_(setup),
      shared_(shared_descriptor),
      variants_{base, candidate},
      limit_(limit),
      seed_(common.seed),
      prober_(this_program(), setup, shared_descriptor),
      watched_(watched) {
    if (watched_.empty()) return;
    // Also the warm-up of the prober: what it cannot probe here, and what it needs of memory, shows now.
    std::string why;
    const std::vector<Ceiling> fresh = probe(why);
    std::vector<Ceiling> known;
    for (std::size_t i = 0; i < fresh.size() && i < watched.size(); ++i) {
        if (fresh[i].max > 0.0) known.push_back(watched[i]);
    }
    watched_ = known;
    rates_.resize(watched_.size());
}

std::vector<Ceiling> VariantArms::probe(std::string& why) {
    Deadlines deadlines;
    deadlines.load = deadlines.prepare = deadlines.run = kUnknown;
    const WorkerAnswer answer = prober_.ask(to_json(ProbeRequest{watched_, kProbeSeconds}).dump(), deadlines);
    if (answer.outcome == Outcome::measured && answer.line.ceilings.size() == watched_.size())
        return answer.line.ceilings;
    why = answer.detail.empty() ? "the probe did not answer" : answer.detail;
    return {};
}

Turn VariantArms::take_control() {
    std::string why;
    const std::vector<Ceiling> fresh = probe(why);
    if (fresh.empty()) return failed(why);
    for (std::size_t i = 0; i < fresh.size(); ++i) rates_[i].push_back(fresh[i].max);
    Turn turn;
    turn.seconds = 1.0 / fresh.front().max;  // of one unit of work
    return turn;
}

Turn VariantArms::take_variant(std::size_t side) {
    MeasureRequest ask;
    ask.variant = variants_[side];
    ask.slots = 1;
    ask.rules.batches = kBatches;
    ask.rules.batch_seconds = std::min(kTurnSeconds, limit_) / kBatches;
    ask.seeds = {seed_ + 1, seed_ + 2};
    ask.verify = !verified_[side];
    Deadlines deadlines;
    deadlines.load = deadlines.prepare = kUnknown;
    deadlines.run = ask.verify ? kUnknown : kPatience + limit_;
    Worker worker(this_program(), setup_, shared_);
    const WorkerAnswer answer = worker.ask(to_json(ask).dump(), deadlines);
    if (answer.outcome != Outcome::measured || answer.line.records.empty())
        return failed(std::string(to_text(answer.outcome)) + ": " + answer.detail);
    const Record& record = answer.line.records.front();
    if (record.variant != ask.variant) return failed("the worker answered about another variant");
    if (is_failure(record.outcome) || record.slots.empty())
        return failed(std::string(to_text(record.outcome)) + ": " + record.detail);
    verified_[side] = true;
    // The first turn, which verifies, may have taken more than one: the last is the one to be judged.
    const Slot& slot = record.slots.back();
    if (slot.seconds > limit_) {
        return failed("one repetition takes " + format_seconds(slot.seconds) + ", longer than --limit " +
                      format_seconds(limit_));
    }
    Turn turn;
    turn.seconds = slot.seconds;
    turn.disturbed = slot.disturbed;
    turn.step = stopwatch_.resolution() / std::max(1, slot.repetitions);
    return turn;
}

Turn VariantArms::take(Arm arm) {
    return arm == Arm::control ? take_control() : take_variant(side_of(arm));
}

ProgramArms::ProgramArms(ProgramArm base, ProgramArm candidate, bool reads_time,
                         std::optional<track::ControlKind> control, double limit, bool quiet)
    : ScreenedArms("comparing", quiet, !reads_time),
      programs_{std::move(base), std::move(candidate)},
      reads_time_(reads_time),
      limit_(limit) {
    if (control) control_.emplace(*control);
}

Turn ProgramArms::take(Arm arm) {
    Turn turn;
    if (arm == Arm::control) {
        turn.seconds = control_->seconds();
        return turn;
    }
    const ProgramArm& program = programs_[side_of(arm)];
    const Execution run = execute(program.words, limit_, {.folder = program.folder, .limit_flag = "--limit"});
    if (run.end != Execution::End::exited || run.status != 0) return failed(run.detail);
    turn.disturbed = run.disturbed;
    turn.seconds = run.seconds;
    turn.step = stopwatch_.resolution();
    if (!reads_time_) return turn;
    const auto printed = track::last_number(run.output);
    if (!printed) return failed("it printed no number, which --reads-time needs");
    turn.seconds = printed->value;
    turn.step = printed->step;
    return turn;
}

}  // namespace rooftune
