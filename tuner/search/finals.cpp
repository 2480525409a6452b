// Finals: the best few in rotation, never back to back, in a process of its own with inputs of its
// own, against the default and the naive variant. Ratios come from these rounds alone, so that the
// machine's drift cancels. Where all finalists fail on the fresh inputs, the next best take their place.
#include <algorithm>
#include <map>

#include "tuner/measure/statistics.h"
#include "tuner/search/run_state.h"

namespace rooftune {
namespace {

constexpr int kFinalsRounds = 120;  // or what the time for finals allows
constexpr double kRoofSeconds = 0.6;

enum class Finals { won, unmeasured, refuted };

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

// Who meets in the finals: the winner so far, what its speed-up is told against, and the next best; as many
// as the budget still allows.
std::vector<Variant> field_of(const RunState& run) {
    std::vector<Variant> field;
    const auto add = [&](const Variant& variant) {
        if (std::find(field.begin(), field.end(), variant) == field.end()) field.push_back(variant);
    };
    const bool won = run.ledger.incumbent().has_value();
    const std::vector<Variant> best = won ? run.ledger.best(kFinalists) : next_best(run.ledger);
    if (won) add(run.ledger.incumbent()->variant);
    if (field.empty() && best.empty()) return field;
    add(run.input.fallback);
    add(run.input.naive);
    for (const Variant& variant : best) add(variant);
    // Where all others were raced out, the fastest of those: `verify` asks later whether the order still
    // holds.
    const auto second = [&](const Variant& variant) {
        return variant != field.front() && run.input.space->valid(variant);
    };
    if (won && std::none_of(field.begin(), field.end(), second)) {
        const std::vector<Variant> timed = next_best(run.ledger);
        const auto found = std::find_if(timed.begin(), timed.end(), second);
        if (found != timed.end()) add(*found);
    }
    field.resize(std::min(field.size(), static_cast<std::size_t>(run.evaluations_left())));
    return field;
}

// Of those that were measured in the rotation the best beside the winner.
std::optional<RunnerUp> runner_up_of(const Space& space, const std::vector<Variant>& field,
                                     const std::vector<Record>& records, const Variant& winner,
                                     const Record& best) {
    std::optional<RunnerUp> second;
    double least = 0.0;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Record& record = records[i];
        if (field[i] == winner || !space.valid(field[i]) || record.outcome != Outcome::measured ||
            record.slots.size() < 8)
            continue;
        const double seconds = interval_of(record.slots).median;
        if (second && seconds >= least) continue;
        second = RunnerUp{field[i], ratio_interval(record.slots, best.slots), winner};
        least = seconds;
    }
    return second;
}

// One rotation. Refuted: some finalist was right in the search and failed on fresh inputs, and none is left
// that was measured.
Finals rotate_finalists(RunState& run, const std::vector<Variant>& field, double seconds) {
    const std::vector<Record> records = run.evaluator.rotate(field, kFinalsRounds, seconds, "finals");
    run.evaluations += static_cast<int>(field.size());

    const Record* best = nullptr;
    Variant winner;
    bool refuted = false;
    std::map<Variant, const Record*> of;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Record& record = records[i];
        of[field[i]] = &record;
        run.trace("finals " + run.input.space->to_text(field[i]) + " " +
                  std::string(to_text(record.outcome)));
        if (!run.input.space->valid(field[i])) continue;  // a reference that the user's cuts leave out
        if (record.outcome == Outcome::measured && record.slots.size() >= 8) {
            run.ledger.add_known(field[i], record);
            if (!best || interval_of(record.slots).median < interval_of(best->slots).median) {
                best = &record;
                winner = field[i];
            }
        } else if (record.outcome != Outcome::environment && is_failure(record.outcome)) {
            // Right in the search and wrong on fresh inputs: never the winner.
            const auto known = run.ledger.records().find(field[i]);
            refuted = refuted || known == run.ledger.records().end() || !is_failure(known->second.outcome);
            run.ledger.add_known(field[i], record);
        }
    }
    if (!best) return refuted ? Finals::refuted : Finals::unmeasured;
    run.ledger.crown(winner, interval_of(best->slots));
    run.note_convergence();
    run.result.best_record = *best;
    const auto against = [&](const Variant& other, TimeInterval& ratio, double& median_seconds) {
        const Record* record = of.contains(other) ? of[other] : nullptr;
        if (!record || record->slots.empty()) return;
        ratio = ratio_interval(record->slots, best->slots);
        median_seconds = interval_of(record->slots).median;
    };
    against(run.input.naive, run.result.naive_ratio, run.result.naive_seconds);
    against(run.input.fallback, run.result.default_ratio, run.result.default_seconds);
    run.result.runner_up = runner_up_of(*run.input.space, field, records, winner, *best);
    run.result.roof_now = run.reprobe_binding(kRoofSeconds);
    run.check_bound(winner, *best);
    return run.ledger.incumbent() ? Finals::won : Finals::refuted;
}

}  // namespace

void finals_stage(RunState& run, double seconds) {
    // Each time that the finalists are refuted, the ledger holds at least one less that counts as right.
    for (;;) {
        const std::vector<Variant> field = field_of(run);
        if (field.empty()) break;
        const Finals end = rotate_finalists(run, field, seconds);
        if (end == Finals::won) return;
        if (end == Finals::unmeasured || run.evaluator.interrupted()) break;
        run.notice("all finalists failed on fresh inputs; the next best take their place");
    }
    // Not in the finals, but verified and timed: the best that is known.
    if (const auto best = run.ledger.best(1); !run.ledger.incumbent() && !best.empty()) {
        run.ledger.crown(best.front(), interval_of(run.ledger.records().at(best.front()).slots));
    }
    if (run.ledger.incumbent()) run.notice("there were no finals; the winner is the search's");
}

}  // namespace rooftune
