// `rooftune run SET PROBLEM`: which variant a tuned set gives a problem, and how fast that is.
#pragma once

#include <string>
#include <vector>

#include "kernels/registry.h"
#include "tuner/command/common_flags.h"

namespace rooftune {

struct RunSetArguments {
    CommonFlags common;
    std::string set;
    std::vector<std::string> pieces;  ///< the problem, its family first where the set has several
    double seconds = 5.0;
    bool choose = false;  ///< only say which variant
    std::string file{};   ///< for the text, besides
};

/// Exit status. Throws InputError, also for a problem of a kind that the set does not hold.
int run_set(const RunSetArguments& arguments, const Registry& registry);

}  // namespace rooftune
