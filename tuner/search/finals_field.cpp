#include "tuner/search/finals_field.h"

#include <algorithm>
#include <utility>

#include "tuner/measure/probing_beside.h"
#include "tuner/measure/racing.h"
#include "tuner/measure/sampling.h"
#include "tuner/measure/statistics.h"

namespace rooftune {
namespace {

// The next best where the winner was refuted: those that were raced out count as well, for what they lost to
// was no right answer.
std::vector<Variant> next_best(const Ledger& ledger) {
    std::vector<std::pair<double, Variant>> timed;
    for (const auto& [variant, record] : ledger.records()) {
        if (!is_failure(record.outcome) && !record.slots.empty())
            timed.emplace_back(fastest(record), variant);
    }
    std::sort(timed.begin(), timed.end());
    std::vector<Variant> best;
    for (std::size_t i = 0; i < std::min(kFinalists, timed.size()); ++i) best.push_back(timed[i].second);
    return best;
}

// Whether a textbook loop, say, took so many times as long as the winner that the finals give it a few turns.
bool is_far_slower_than_winner(const RunState& run, const Variant& variant) {
    const auto at = run.ledger.records().find(variant);
    if (at == run.ledger.records().end() || at->second.slots.empty() || !run.ledger.incumbent()) return false;
    const auto winner = run.ledger.records().find(run.ledger.incumbent()->variant);
    if (winner == run.ledger.records().end() || winner->second.slots.empty()) return false;
    // Near the limit the finals may decide either way.
    constexpr double kNear = 0.75;
    return fastest(at->second) > kNear * kFarSlower * fastest(winner->second);
}

// Whether it is a variant of the space of which nothing is known that rules it out.
bool may_win(const RunState& run, const Variant& variant) {
    const auto at = run.ledger.records().find(variant);
    const bool failed = at != run.ledger.records().end() && is_failure(at->second.outcome);
    return run.space().valid(variant) && !failed;
}

}  // namespace

double least_seconds_of(const RunState& run, const Variant& variant) {
    constexpr double kChecks = 2.0;
    const bool as_default = variant == run.input.naive && !run.ledger.evaluated(variant);
    const auto at = run.ledger.records().find(as_default ? run.input.fallback : variant);
    if (at == run.ledger.records().end() || at->second.slots.empty()) return 0.0;
    const double prepare = run.input.builds_are_kept ? 0.0 : std::max(0.0, at->second.prepare_seconds);
    // No turn is shorter than a batch.
    const double turn = std::max(fastest(at->second), SamplingRules().batch_seconds);
    if (is_far_slower_than_winner(run, at->first)) return prepare + turn * (1.0 + kTurnsOfFarSlower);
    return prepare + turn * (kChecks + kLeastRounds);
}

std::vector<Variant> field_of(const RunState& run, double seconds) {
    std::vector<Variant> field;
    const auto is_in = [&](const Variant& variant) {
        return std::find(field.begin(), field.end(), variant) != field.end();
    };
    const auto add = [&](const Variant& variant) {
        if (!is_in(variant)) field.push_back(variant);
    };
    const bool won = run.ledger.incumbent().has_value();
    const std::vector<Variant> best = won ? run.ledger.best(kFinalists) : next_best(run.ledger);
    if (won) add(run.ledger.incumbent()->variant);
    if (field.empty() && best.empty()) return field;
    add(run.input.fallback);
    add(run.input.naive);
    if (run.input.kept && may_win(run, *run.input.kept)) add(*run.input.kept);
    if (run.ratios_of && may_win(run, *run.ratios_of)) add(*run.ratios_of);  // who won the finals before
    double expected = 0.0;
    for (const Variant& variant : field) expected += least_seconds_of(run, variant);
    const std::size_t references = field.size();
    for (const Variant& variant : best) {
        if (is_in(variant)) continue;
        const double more = least_seconds_of(run, variant);
        // One at least, so that the winner has met somebody.
        if (field.size() > references && expected + more > seconds) break;
        add(variant);
        expected += more;
    }
    // Where all others were raced out, the fastest of those: `verify` asks later whether the order still
    // holds. One that is far slower has a few turns alone and is nobody's runner-up.
    const auto second = [&](const Variant& variant) {
        return variant != field.front() && run.space().valid(variant) &&
               !is_far_slower_than_winner(run, variant);
    };
    if (won && std::none_of(field.begin(), field.end(), second)) {
        const std::vector<Variant> timed = next_best(run.ledger);
        const auto found = std::find_if(timed.begin(), timed.end(), second);
        if (found != timed.end()) add(*found);
    }
    field.resize(std::min(field.size(), static_cast<std::size_t>(run.evaluations_left())));
    return field;
}

}  // namespace rooftune
