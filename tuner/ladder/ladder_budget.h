// How the time of a ladder is shared between the tune that it may need first and its rounds.
#pragma once

#include <string>

namespace rooftune::ladder {

/// Seconds.
struct BudgetShares {
    double tune = 0.0;  ///< 0: nothing is to be tuned
    double rounds = 0.0;
};

/// What `--budget` gives each, where `text` is what the user wrote; empty: 30 s for the rounds, and 60 s for
/// the tune before them. A budget that is given covers both, in the same shares, so that a ladder of 8 s does
/// not begin with a minute of tuning. Throws InputError for what is no time above 0.
BudgetShares share_budget(const std::string& text, bool to_tune);

/// What is said before a tune that was not asked for: why it comes, how long it may take, and what changes
/// that. `budget_given`: the user wrote `--budget`, of which this is a share.
std::string tuned_first_text(double seconds, bool budget_given);

}  // namespace rooftune::ladder
