// How much faster one variant is than another, by rounds in which both were timed.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace rooftune::ladder {

/// A factor of speed with its interval: above 1 is faster.
struct Gain {
    double factor = 1.0, low = 1.0, high = 1.0;
    int rounds = 0;  ///< 0: by definition, nothing was measured
};

/// Time before over time after: the median of the rounds' ratios with its 95 % order-statistic interval
/// (statistics.h; with fewer rounds than that needs, the outermost). Rounds in which either is missing (NaN)
/// are left out; nothing where none is left.
std::optional<Gain> gain_of(std::span<const double> before, std::span<const double> after);

/// The factors multiplied, lows with lows and highs with highs: an interval that is wide on purpose, since
/// the steps' errors need not add up in one direction.
Gain product_of(const std::vector<Gain>& gains);

/// Whether two gains can be the same: their intervals overlap, give or take rounding.
bool agree(const Gain& a, const Gain& b);

}  // namespace rooftune::ladder
