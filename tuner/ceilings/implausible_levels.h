// Levels of cache as no quiet machine has them. Where other processes run beside the probes, the rate of one
// thread falls before a cache is full, so that a boundary is drawn too far in, and what is called L2 still
// lies in L1. Rates by level are then of other levels than their names say. The next probes draw the
// boundaries anew, from rates that only rise.
#pragma once

#include <string>
#include <vector>

#include "models/machine.h"

namespace rooftune {

/// A cache of a core's own in which the probes saw less than this share of what it is reported to have. A
/// coarse grid of footprints sees about half of one at the least, and regions of a plot take that for
/// agreement.
inline constexpr double kSmallCache = 1.0 / 2.1;
/// What lies behind a core's own cache is implausible from this share of the cache's rate on.
inline constexpr double kAsFastAsOwnCache = 0.95;
/// Behind a shared cache, of which a guest of a busy host may have little, only what is faster than it is.
inline constexpr double kFasterThanSharedCache = 1.05;

/// A core's own cache of which the probes saw too little.
struct SmallCache {
    int level = 1;
    Bytes reported{0.0}, probed{0.0};
};

/// Two neighbouring levels, the farther of which is too fast beside the nearer one under the same conditions.
struct FlatStep {
    std::string nearer, farther;  ///< "L1", "L2"
    Mix mix = Mix::load;
    int threads = 1;
    double nearer_rate = 0.0, farther_rate = 0.0;  ///< byte/s
};

struct ImplausibleLevels {
    std::vector<SmallCache> small;
    std::vector<FlatStep> flat;  ///< the gravest first

    bool any() const { return !small.empty() || !flat.empty(); }
};

/// What is implausible of the processor's caches as probes of this machine saw them; nothing of a machine as
/// documents have it. Stores past the caches are the same at all levels and are not compared.
ImplausibleLevels implausible_levels(const Machine& machine);

/// The same as sentences that end without a full stop; empty where everything is plausible. `again`: the
/// command that probes again, as it stands in a sentence.
std::string implausible_levels_text(const Machine& machine, const std::string& again);

}  // namespace rooftune
