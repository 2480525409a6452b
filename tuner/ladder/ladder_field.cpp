#include "tuner/ladder/ladder_field.h"
#include "tuner/engine/worker_program.h"

#include <nlohmann/json.hpp>

#include "tuner/base/interrupt.h"
#include "tuner/base/si.h"

namespace rooftune {
namespace {

// Where one turn's time goes: three batches, of which the shortest counts. A long repetition is a batch of
// its own (sampling.h), so that a naive variant a hundred times as slow costs one or two repetitions.
constexpr int kBatches = 3;
constexpr double kBatchSeconds = 0.02;
constexpr double kProbeSeconds = 0.03;
// Loading, converting and the first verification take as long as they take; later turns only fill the data.
constexpr double kUnknown = 120.0;
constexpr double kPatience = 8.0;
constexpr double kRepetitionsOfTurn = 20.0;
// A device's compiler, where its cache does not have the variant.
constexpr double kCompilerPatience = 20.0;

WorkerSetup alone(WorkerSetup setup) {
    setup.target.threads = 1;
    if (!setup.cpus.empty()) setup.cpus.resize(1);
    return setup;
}

ladder::Turn failed(std::string why) {
    ladder::Turn turn;
    turn.failure = std::move(why);
    return turn;
}

std::string reason(Outcome outcome, const std::string& detail) {
    return std::string(to_text(outcome)) + (detail.empty() ? "" : ": " + detail);
}

}  // namespace

LadderField::LadderField(const Setting& setting, const Job& job, int shared_descriptor,
                         const ladder::Plan& plan, const std::vector<Ceiling>& watched, double limit,
                         double budget_seconds, const CommonOptions& common)
    : plan_(&plan),
      together_(this_program(), worker_setup(setting, job), shared_descriptor),
      alone_(this_program(), alone(worker_setup(setting, job)), shared_descriptor),
      watched_(watched),
      rates_(watched.size()),
      seconds_(plan.variants.size(), 0.0),
      limit_(limit),
      seed_(common.seed),
      compiler_patience_(setting.target.backend == Backend::opencl ? kCompilerPatience : 0.0),
      bar_(common.quiet),
      started_(clock_.now()) {
    state_.phase = "ladder of " + setting.problem->title();
    state_.budget_seconds = budget_seconds;
}

bool LadderField::interrupted() {
    return rooftune::interrupted();
}

void LadderField::begin(int) {
    together_.stop();
    alone_.stop();
    if (watched_.empty()) return;
    Deadlines deadlines;
    deadlines.load = deadlines.prepare = deadlines.run = kUnknown;
    const WorkerAnswer answer =
        together_.ask(to_json(ProbeRequest{watched_, kProbeSeconds}).dump(), deadlines);
    if (answer.outcome != Outcome::measured || answer.line.ceilings.size() != watched_.size()) return;
    for (std::size_t i = 0; i < watched_.size(); ++i) {
        // What cannot be probed here gives no rate; it is not the end of the ladder.
        if (answer.line.ceilings[i].max > 0.0) rates_[i].push_back(answer.line.ceilings[i].max);
    }
}

Deadlines LadderField::deadlines_of(std::size_t variant) const {
    Deadlines deadlines;
    deadlines.load = deadlines.prepare = deadlines.run = kUnknown;
    if (seconds_[variant] > 0.0)
        deadlines.run = kPatience + compiler_patience_ + kRepetitionsOfTurn * seconds_[variant];
    return deadlines;
}

ladder::Turn LadderField::take(std::size_t variant) {
    const ladder::Stand& stand = plan_->variants[variant];
    MeasureRequest ask;
    ask.variant = stand.values;
    ask.slots = 1;
    ask.rules.batches = kBatches;
    ask.rules.batch_seconds = kBatchSeconds;
    ask.seeds = {seed_ + 1, seed_ + 2};
    ask.verify = seconds_[variant] <= 0.0;
    Worker& worker = stand.alone ? alone_ : together_;
    const WorkerAnswer answer = worker.ask(to_json(ask).dump(), deadlines_of(variant));
    if (answer.outcome != Outcome::measured || answer.line.records.empty())
        return failed(reason(answer.outcome, answer.detail));
    const Record& record = answer.line.records.front();
    if (record.variant != ask.variant) {
        worker.stop();
        return failed("the worker answered about another variant");
    }
    if (is_failure(record.outcome) || record.slots.empty())
        return failed(reason(record.outcome, record.detail));
    // The first turn, which verifies, may have taken more than one slot: the last is the one that counts.
    const Slot& slot = record.slots.back();
    if (slot.seconds > limit_) {
        return failed("one repetition takes " + format_seconds(slot.seconds) + ", longer than --limit " +
                      format_seconds(limit_));
    }
    seconds_[variant] = slot.seconds;
    return {slot.seconds, slot.disturbed, ""};
}

void LadderField::progress(int round, std::size_t variant) {
    ++state_.measured;
    if (static_cast<int>(variant) == plan_->best()) state_.best_seconds = seconds_[variant];
    state_.elapsed_seconds = clock_.now() - started_;
    (void)round;
    bar_.update(state_);
}

}  // namespace rooftune
