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
    double epsilon = 0.03;  ///< ends when nothing left can be faster by more than this share
    /// Ends after so many evaluations without improvement beyond noise; 0: 32 to 100, more in larger spaces,
    /// and not before a share of the space was evaluated.
    int patience = 0;
    int audit = 60;                   ///< variants measured all the same (SearchOptions::audit)
    double finals_seconds = 0.0;      ///< at most; 0: a share of the budget
    bool fresh = false;               ///< measure again what the store has
    bool no_bounds = false;           ///< exclude nothing
    bool exhaustive = false;          ///< measure every variant, without a budget
    std::vector<std::string> only;    ///< "parameter=value|value": cuts of the space
    std::string strategy = "bounds";  ///< or another that `rooftune tune --help` names
    std::string trace;                ///< file for the search's trace; empty: none
    /// The program that measures, found as a shell finds it: the `rooftune` that was installed with this
    /// library. Empty: this program itself, which has to call serve_worker().
    std::string worker;
};

/// Throws InputError for a value that is none: of the options that both front ends have, whoever set them.
void check_options(const TuneOptions& options);

/// Throws InputError for negative limits.
void check_budget(const Budget& budget);

}  // namespace rooftune
