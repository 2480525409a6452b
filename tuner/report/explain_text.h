// Why the winner is as fast as it is, and how the search came to exclude the rest.
#pragma once

#include <string>

#include "tuner/config/tune_result.h"

namespace rooftune {

/// Every term of the winner's bound as a table (least work, ceiling, rate, time, share of T_lower,
/// what could move it; demoted terms marked), then branch and bound in numbers: bounds evaluated,
/// subtrees cut, variants excluded by each term. Ends with a newline.
std::string explain_text(const TuneResult& result);

}  // namespace rooftune
