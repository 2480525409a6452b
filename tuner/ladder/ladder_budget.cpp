#include "tuner/ladder/ladder_budget.h"

#include <cmath>

#include "kernels/runtime/error.h"
#include "tuner/base/si.h"
#include "tuner/engine/job.h"

namespace rooftune::ladder {

BudgetShares share_budget(const std::string& text, bool to_tune) {
    constexpr double kRounds = 30.0, kTune = 60.0;
    if (text.empty()) return {to_tune ? kTune : 0.0, kRounds};
    const std::optional<Budget> parsed = budget_from(text);
    if (!parsed || parsed->evaluations > 0 || parsed->bounds_only || !(parsed->seconds > 0.0))
        throw InputError("--budget " + text +
                         ": write a time with its unit, like 30s, 800ms or 2m (a number without a unit is a "
                         "number of evaluations, which a ladder does not count)");
    if (!to_tune) return {0.0, parsed->seconds};
    return {parsed->seconds * kTune / (kTune + kRounds), parsed->seconds * kRounds / (kTune + kRounds)};
}

std::string tuned_first_text(double seconds, bool budget_given) {
    constexpr double kWholeSeconds = 120.0;  // "60 s", as a budget is written, and not "1 min 0 s"
    const bool whole = seconds >= 1.0 && seconds < kWholeSeconds;
    const std::string time = whole ? std::to_string(std::lround(seconds)) + " s" : format_duration(seconds);
    return "this problem has not been tuned here yet: it is tuned first, for up to " + time +
           (budget_given ? " of the budget" : " (`--budget` changes it)");
}

}  // namespace rooftune::ladder
