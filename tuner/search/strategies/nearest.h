// Points near coordinates that need not be one.
#pragma once

#include <cstddef>
#include <vector>

#include "tuner/search/strategies/landscape.h"

namespace rooftune {

/// Sum over the parameters of the share of its range that lies between two coordinates; 1 where the parameter
/// exists in one of the two only.
double distance(const Landscape& landscape, const std::vector<int>& a, const std::vector<int>& b);

/// The point with these coordinates; where there is none, the one that steps from `from`, one parameter each
/// and each the one that comes nearest, lead to. It may be `from` itself.
std::size_t nearest(const Landscape& landscape, const std::vector<int>& wanted, std::size_t from);

}  // namespace rooftune
