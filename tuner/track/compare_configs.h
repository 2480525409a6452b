// Two tuned configs of one problem, measured against each other on this machine as it is now.
#pragma once

#include <optional>

#include "kernels/registry.h"
#include "tuner/base/notice.h"
#include "tuner/command/common_flags.h"
#include "tuner/measure/comparison.h"
#include "tuner/track/measuring_screen.h"
#include "tuner/track/pairing.h"

namespace rooftune {

struct CompareRules {
    double limit = 2.0;           ///< seconds that one turn of an arm may take
    std::optional<double> delta;  ///< the user's threshold, a fraction; empty: by the machine's history
};

/// Threshold by the user or by the machine's history. Throws InputError for a history that cannot be read.
double delta_for(const CommonOptions& common, const CompareRules& rules, const std::string& machine);

/// Remembers what A differed from itself by, if the comparison measured that. A history that cannot be
/// written is a notice. Under the machine lock.
void remember_noise(const CommonOptions& common, const std::string& machine,
                    const track::Comparison& comparison, const Notice& notice);

/// Nothing after Ctrl-C. `here` is this machine's fingerprint, whatever machine the bounds are of. Throws
/// InputError where the two cannot be compared here (another problem by now, a variant that does not exist
/// here).
std::optional<track::Comparison> compare_configs(const track::ConfigPair& pair, const CommonFlags& common,
                                                 const CompareRules& rules, const std::string& here,
                                                 const Registry& registry, MeasuringScreen& screen);

}  // namespace rooftune
