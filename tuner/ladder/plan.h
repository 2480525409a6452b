// The variants of a ladder. Step k has the best variant's values in the parameters that steps 1 … k release,
// and the naive variant's in the others; what a step is still worth is asked of the best variant without that
// step's parameters. Where such a combination is no variant, the nearest one stands in, and says so.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernels/contract/family.h"

namespace rooftune::ladder {

using Values = std::map<std::string, std::string>;

/// A variant to be measured.
struct Stand {
    Values values;
    bool alone = false;  ///< it is a variant of the space for one thread only (the naive loop may take all)
    auto operator<=>(const Stand&) const = default;
};

struct PlannedStep {
    std::string name, why;
    std::vector<std::string> parameters;
    int variant = 0;      ///< in Plan::variants
    bool changes = true;  ///< false: it is the variant of the step before
    std::string change;   ///< "simd scalar → 512, tile 8x24"; empty where nothing changes
    std::string adapted;  ///< "unroll 2 instead of 4"; empty where the combination is a variant
    /// The best variant without this step; −1 where the best has nothing of it, or cannot be without it.
    int without = -1;
    std::string without_adapted;  ///< what else had to change for that
};

struct Plan {
    std::vector<Stand> variants;     ///< each once; the first is the bottom, the naive variant on one thread
    std::vector<PlannedStep> steps;  ///< in order; the last one's variant is the best
    int best() const { return steps.empty() ? 0 : steps.back().variant; }
};

/// What a ladder is planned from. Spaces outlive the call.
struct Ends {
    const Space* all = nullptr;     ///< on all threads
    const Space* single = nullptr;  ///< on one thread; null where threads are no choice (a device)
    Values bottom;                  ///< the naive variant on one thread, of `single`; of `all` without it
    Values naive;                   ///< on all threads
    Values best;                    ///< on all threads
};

/// The plan of a family's ladder. Parameters that it leaves out are released by a last step of their own, so
/// that the last step is the best variant whatever the family says. Throws std::invalid_argument where bottom
/// or best are no variants.
Plan plan_of(const Ladder& ladder, const Ends& ends);

}  // namespace rooftune::ladder
