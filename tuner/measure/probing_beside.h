// What rounds in rotation are made of: how many there are at least, and how long ceilings are probed beside
// each.
#pragma once

#include <cstddef>

namespace rooftune {

/// A rotation has no fewer rounds, whatever the time that it is given: below them a median of ratios has no
/// interval.
inline constexpr int kLeastRounds = 8;

/// Seconds for the windows of each of `ceilings` ceilings, once a round, where the rounds are given `seconds`
/// together: in kLeastRounds rounds no longer together than that. A prober takes a window of one way even in
/// no time, and in a process's first round one of each way.
double probing_seconds_beside(double seconds, std::size_t ceilings);

}  // namespace rooftune
