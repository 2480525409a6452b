// Who meets in the finals, and what that takes.
#pragma once

#include <vector>

#include "tuner/search/run_state.h"

namespace rooftune {

/// Turns of what is far slower than the winner: a textbook loop that takes a hundred times as long took half
/// of a minute's budget.
inline constexpr int kTurnsOfFarSlower = 3;

/// What one variant takes at least in a process of the finals: prepared, checked on two inputs, and eight
/// rounds; of what is far slower one check and a turn or three. By its slots in the search; 0 without any. A
/// naive variant that the search did not ask for takes as long as the default at least.
double least_seconds_of(const RunState& run, const Variant& variant);

/// Who meets in the finals: the winner so far, what its speed-up is told against, whom it would replace, and
/// the next best; as many as the budget still allows, of which `seconds` are left.
std::vector<Variant> field_of(const RunState& run, double seconds);

}  // namespace rooftune
