#include "tuner/measure/variant_turns.h"

#include <algorithm>

#include "tuner/base/si.h"
#include "tuner/base/stopwatch.h"

namespace rooftune {

VariantTurns::VariantTurns(const std::string& program, const WorkerSetup& setup, int shared_descriptor,
                           std::vector<Values> variants, const TurnRules& rules)
    : backend_(setup.target.backend),
      compilers_(setup.compilers),
      worker_(program, setup, shared_descriptor),
      variants_(std::move(variants)),
      seconds_(variants_.size(), 0.0),
      rules_(rules),
      clock_step_(SystemStopwatch().resolution()) {}

Turn VariantTurns::take(std::size_t variant) {
    double& known = seconds_[variant];
    MeasureRequest ask;
    ask.variant = variants_[variant];
    ask.slots = 1;
    ask.rules.batches = rules_.batches;
    ask.rules.batch_seconds = std::min(rules_.batch_seconds, rules_.limit / rules_.batches);
    ask.seeds = {rules_.seed + 1, rules_.seed + 2};
    ask.verify = known <= 0.0;
    const Record record = worker_.measure(
        ask, ask.verify ? unknown_limits(0.0, compilers_) : limits_of_turn(backend_, known, compilers_));
    // What it left in its process may be anything, and the others are not to be blamed for it.
    if (record.outcome == Outcome::crashed) worker_.stop();
    if (is_failure(record.outcome)) {
        return failed_turn(std::string(to_text(record.outcome)) +
                           (record.detail.empty() ? "" : ": " + record.detail));
    }
    // The first turn, which verifies, may have taken more than one slot: the last is the one that counts.
    const Slot& slot = record.slots.back();
    if (slot.seconds > rules_.limit) {
        return failed_turn("one repetition takes " + format_seconds(slot.seconds) + ", longer than --limit " +
                           format_seconds(rules_.limit));
    }
    known = slot.seconds;
    return {slot.seconds, slot.disturbed, "", clock_step_ / std::max(1, slot.repetitions), slot.crowded};
}

std::vector<Ceiling> VariantTurns::probe(const std::vector<Ceiling>& ceilings, double seconds,
                                         std::string& why) {
    std::vector<Ceiling> fresh = worker_.probe({ceilings, seconds}, unknown_limits());
    if (fresh.empty())
        why = worker_.last().detail.empty() ? "the probe did not answer" : worker_.last().detail;
    return fresh;
}

}  // namespace rooftune
