#include "tuner/engine/left_out.h"

#include <algorithm>

#include "tuner/choose/closest_variant.h"
#include "tuner/measure/probing_beside.h"
#include "tuner/measure/sampling.h"
#include "tuner/measure/statistics.h"

namespace rooftune {
namespace {

constexpr int kTrialRounds = 12;
constexpr double kTrialStart = 0.5;  // seconds: a fresh process loads the problem and checks both answers

// What a rotation of two variants takes at least, the other being half as fast.
double least_seconds(double best_seconds) {
    const SamplingRules rules;
    const double repetition = 1.5 * best_seconds;
    const double slot = repetition + rules.batches * std::max(rules.batch_seconds, repetition);
    return kTrialStart + 2 * kLeastRounds * slot;
}

}  // namespace

std::optional<LeftOut> measure_left_out(Evaluator& evaluator, const Space& space, const Variant& best,
                                        double best_seconds,
                                        const std::map<std::string, std::string>& neighbours_best,
                                        double seconds_left) {
    LeftOut result;
    const std::optional<ClosestVariant> here = closest_variant(space, neighbours_best);
    if (!here) return result;
    result.variant = space.to_map(here->variant);
    result.changed = here->changed;
    if (here->variant == best) {
        result.works = true;
        result.ratio = {1.0, 1.0, 1.0, 0.0, 0};
        return result;
    }
    if (seconds_left < least_seconds(best_seconds)) return std::nullopt;
    // Alone first: of several in one rotation nobody could say which was at fault.
    const Record alone =
        evaluator.evaluate(here->variant, {.role = "left_out", .incumbent_high = best_seconds, .slots = 1});
    if (alone.outcome == Outcome::environment) return std::nullopt;
    if (is_failure(alone.outcome)) return result;
    const std::vector<Record> pair =
        evaluator.rotate({best, here->variant}, kTrialRounds, seconds_left - kTrialStart, "left_out");
    if (pair[0].outcome != Outcome::measured || pair[0].slots.empty()) return std::nullopt;
    if (pair[1].outcome == Outcome::environment) return std::nullopt;
    result.works = pair[1].outcome == Outcome::measured && !pair[1].slots.empty();
    if (result.works) result.ratio = ratio_interval(pair[1].slots, pair[0].slots);
    return result;
}

}  // namespace rooftune
