// A second look at a variant that was ruled out, dropped or never tried: whether it is faster than the winner
// after all. Only a rotation with the winner changes who that is.
#pragma once

#include <optional>

#include "tuner/search/run_state.h"

namespace rooftune {

/// RunState::evaluate, with the incumbent as it was, and the variant's earlier record too where the
/// environment failed it this time.
Record look_again(RunState& run, const Variant& variant, const EvaluationRequest& request);

inline constexpr int kContest = 2;  ///< evaluations

/// A variant that looks faster, in rotation with the incumbent in a fresh process: its time over the
/// incumbent's, round by round, so that the machine's drift cancels. Nothing where one of them gave no times;
/// where the variant is to blame for that, its record is the failure now.
/// Where the whole interval lies below 1 the variant is the incumbent now.
std::optional<TimeInterval> contest(RunState& run, const Variant& variant, const std::string& role);

}  // namespace rooftune
