// What a tune is told: how much to spend, what to search, when to stop.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuner/engine/options.h"

namespace rooftune {

/// Whichever ends first.
struct Budget {
    double seconds = 60.0;     ///< 0: no limit
    int evaluations = 0;       ///< 0: no limit
    bool bounds_only = false;  ///< a budget of 0: nothing is measured
};

/// The search that bounds guide; every other strategy has its name from the registry.
inline constexpr std::string_view kByBounds = "bounds";

struct TuneOptions {
    CommonOptions common;
    double epsilon = 0.03;
    int patience = 0;  ///< 0: usual_patience() of the space, taught_patience() with neighbours
    int audit = 60;
    double finals_seconds = 0.0;  ///< at most; 0: a share of the budget
    bool fresh = false;
    bool no_bounds = false;
    bool exhaustive = false;
    std::vector<std::string> only;    ///< "parameter=value|value": cuts of the space
    std::string strategy = "bounds";  ///< or a name in strategy_kinds()
    std::string trace;                ///< file for the search's trace; empty: none
};

}  // namespace rooftune
