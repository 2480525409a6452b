// The tuned set in sentences: what it holds, and what its rule for problems in between was worth.
#pragma once

#include <string>

#include "tuner/formats/tuned_set.h"

namespace rooftune {

/// Ends with a newline. `file`: where the set was written.
std::string tuned_set_text(const TunedSet& set, const std::string& file);

}  // namespace rooftune
