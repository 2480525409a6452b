// One tuned config against the machine, the build and the problem as they are now.
#pragma once

#include <optional>

#include "kernels/registry.h"
#include "tuner/command/common_flags.h"
#include "tuner/track/measuring_screen.h"
#include "tuner/verify/claim.h"
#include "tuner/verify/report.h"

namespace rooftune {

struct VerifyRules {
    bool quick = false;           ///< nothing is measured
    double limit = 2.0;           ///< seconds that one turn of an arm may take
    std::optional<double> delta;  ///< the user's threshold, a fraction; empty: by the machine's history
};

/// Nothing after Ctrl-C. `here` is the machine whose fingerprint counts, without ceilings unless it is a
/// file's. What stands in the way of verifying is in the verdict; throws EnvironmentError for what would stop
/// any.
std::optional<verify::Verified> verify_config(const verify::Claim& claim, const CommonFlags& common,
                                              const VerifyRules& rules, const Machine& here,
                                              const Registry& registry, MeasuringScreen& screen);

}  // namespace rooftune
