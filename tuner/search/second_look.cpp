#include "tuner/search/second_look.h"

#include "tuner/measure/statistics.h"

namespace rooftune {

Record look_again(RunState& run, const Variant& variant, const EvaluationRequest& request) {
    const Incumbent incumbent = *run.ledger.incumbent();
    std::optional<Record> before;
    if (run.ledger.evaluated(variant)) before = run.ledger.records().at(variant);
    Record record = run.evaluate(variant, request);
    if (before && record.outcome == Outcome::environment) run.ledger.add_known(variant, *before);
    // An alarm measures in full, but only a rotation changes the winner.
    run.ledger.crown(incumbent.variant, incumbent.seconds, incumbent.pace);
    return record;
}

std::optional<TimeInterval> contest(RunState& run, const Variant& variant, const std::string& role) {
    constexpr int kRounds = 12;
    const Incumbent incumbent = *run.ledger.incumbent();
    const std::vector<Record> pair = run.evaluator.rotate({variant, incumbent.variant}, kRounds, 1.0, role);
    run.evaluations += kContest;
    // Right when it was timed and wrong on other inputs: no finals need to find that out.
    if (is_failure(pair[0].outcome) && pair[0].outcome != Outcome::environment)
        run.ledger.add_known(variant, pair[0]);
    if (pair[0].outcome != Outcome::measured || pair[1].outcome != Outcome::measured) return std::nullopt;
    run.ledger.add_known(variant, pair[0]);
    run.trace(role + " rotation " + run.space().to_text(variant));
    const TimeInterval ratio = ratio_interval(pair[0].slots, pair[1].slots);
    if (ratio.high < 1.0 && decisive_ratio(pair[0].slots, pair[1].slots) < 1.0) {
        const double pace = interval_of(pair[1].slots).median / incumbent.paced();
        run.ledger.crown(variant, interval_of(pair[0].slots), pace);
        run.result.best_record = pair[0];
    }
    return ratio;
}

}  // namespace rooftune
