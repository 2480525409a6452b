// How far the estimate that sets aside may be trusted, by what audits saw of it.
#pragma once

#include <vector>

namespace rooftune {

/// Of a hundred variants that are set aside this many may be faster than their estimate allows.
inline constexpr double kWrongSetAside = 0.02;

/// The factor, at most 1, with which the estimate sets aside: the quantile kWrongSetAside of `ratios`, time
/// over estimate of audited variants, by the nearest rank. 1 with fewer than thirty: one of them would
/// decide.
double set_aside_factor(std::vector<double> ratios);

}  // namespace rooftune
