// What a declaration leaves unsaid, or says to no effect.
#pragma once

#include <string>
#include <vector>

#include "tuner/external/instance.h"

namespace rooftune {

/// Sentences without their full stop, for whoever wrote the source or the description.
std::vector<std::string> advice_for(const external::Instance& instance);

}  // namespace rooftune
