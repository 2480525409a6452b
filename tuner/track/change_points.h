// Where a history changed: hierarchical estimation of change points by energy statistics, "E-divisive"
// (Matteson and James, "A nonparametric approach for multiple change point analysis of multivariate data",
// JASA 109, 2014), for one variable and the first power of distances. It assumes no distribution and no
// number of changes. What it finds is for triage: neighbouring entries of a history were measured on
// different days, and only interleaved rounds of both say which one is slower.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rooftune::track {

struct ChangeRules {
    double significance = 0.01;  ///< of each test: how often noise alone may give a first change
    int permutations = 499;
    int least_segment = 2;  ///< values on either side of a change
    std::uint64_t seed = 1;
};

struct ChangePoint {
    std::size_t at = 0;  ///< index of the first value after the change
    double p = 1.0;      ///< share of permutations (the series itself among them) with as large a statistic
    double shift = 0.0;  ///< median after minus median before, each up to the neighbouring change
};

/// Values beyond the last so many are not looked at: the statistic costs their square.
inline constexpr std::size_t kMostChangeValues = 400;

/// Changes in the order of the series, which is finite values in the order of time. A series too short for
/// its permutations to be rarer than the significance has none: fewer than about ten values show nothing,
/// and none, one, two and equal ones are fine. A drift is found as steps. The same series and rules give the
/// same answer on every platform.
std::vector<ChangePoint> change_points(std::span<const double> values, const ChangeRules& rules = {});

}  // namespace rooftune::track
