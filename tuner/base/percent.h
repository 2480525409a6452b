// Shares as comparisons spell them: one decimal, because what matters is a few per cent.
#pragma once

#include <string>

namespace rooftune {

/// "6.2 %" of 0.062.
std::string percent(double fraction);

/// "+6.2 %" of 0.062, "-6.2 %" of -0.062; what rounds to nothing has no minus.
std::string percent_change(double fraction);

}  // namespace rooftune
