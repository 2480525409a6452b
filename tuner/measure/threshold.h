// How large a difference must be to count: delta, a fraction of the time.
#pragma once

#include <span>

namespace rooftune::track {

/// Where it starts, before the machine is known.
inline constexpr double kFirstDelta = 0.03;
/// As small as it gets.
inline constexpr double kLeastDelta = 0.01;
/// A 99th percentile is known from so many comparisons on.
inline constexpr int kHistoryNeeded = 100;

/// max(1 %, the 99th percentile of what A differed from itself by in this machine's earlier comparisons); 3 %
/// with fewer than a hundred of them. Fractions; what is no finite, non-negative number counts as absent.
double delta_of_history(std::span<const double> differences);

/// At least two steps of the clock that took a time of `seconds`. A clock that is not known (0) asks for
/// nothing.
double delta_of_clock(double delta, double step_seconds, double seconds);

}  // namespace rooftune::track
