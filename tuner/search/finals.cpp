// Finals: the best few in rotation, never back to back, in a process of its own with inputs of its
// own, against the default and the naive variant. Ratios come from these rounds alone, so that the
// machine's drift cancels.
#include <algorithm>
#include <map>

#include "tuner/measure/statistics.h"
#include "tuner/search/run_state.h"

namespace rooftune {
namespace {

constexpr std::size_t kFinalists = 4;
constexpr int kRounds = 40;
constexpr double kRoofSeconds = 0.6;

}  // namespace

void finals_stage(RunState& run, double seconds) {
    std::vector<Variant> field = run.ledger.best(kFinalists);
    if (field.empty()) return;
    const auto add = [&](const Variant& variant) {
        if (std::find(field.begin(), field.end(), variant) == field.end()) field.push_back(variant);
    };
    add(run.ledger.incumbent()->variant);
    add(run.input.fallback);
    add(run.input.naive);
    const std::vector<Record> records = run.evaluator.rotate(field, kRounds, seconds, "finals");
    run.evaluations += static_cast<int>(field.size());

    const Record* best = nullptr;
    Variant winner;
    std::map<Variant, const Record*> of;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Record& record = records[i];
        of[field[i]] = &record;
        run.trace("finals " + run.input.space->to_text(field[i]) + " " +
                  std::string(to_text(record.outcome)));
        if (record.outcome == Outcome::measured && record.slots.size() >= 8) {
            run.ledger.add_known(field[i], record);
            if (!best || interval_of(record.slots).median < interval_of(best->slots).median) {
                best = &record;
                winner = field[i];
            }
        } else if (record.outcome != Outcome::environment && record.outcome != Outcome::measured) {
            // Right in the search and wrong on fresh inputs: never the winner.
            run.ledger.add_known(field[i], record);
        }
    }
    if (!best) {
        run.notice("the finals could not be measured; the winner is the search's");
        return;
    }
    run.ledger.crown(winner, interval_of(best->slots));
    run.result.best_record = *best;
    const auto against = [&](const Variant& other, TimeInterval& ratio, double& median_seconds) {
        const Record* record = of.contains(other) ? of[other] : nullptr;
        if (!record || record->slots.empty()) return;
        ratio = ratio_interval(record->slots, best->slots);
        median_seconds = interval_of(record->slots).median;
    };
    against(run.input.naive, run.result.naive_ratio, run.result.naive_seconds);
    against(run.input.fallback, run.result.default_ratio, run.result.default_seconds);
    run.result.roof_now = run.reprobe_binding(kRoofSeconds);
    const Record of_winner = *best;
    run.check_bound(winner, of_winner);
}

}  // namespace rooftune
