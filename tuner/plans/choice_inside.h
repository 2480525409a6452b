// What plans put into the parameters that a program sees.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tuner/plans/choice.h"

namespace rooftune {

struct ROOFTUNE_HIDDEN PlanParameters::Inside {
    std::vector<std::pair<std::string, std::string>> all;
};

PlanParameters parameters_of(const std::map<std::string, std::string>& values);

}  // namespace rooftune
