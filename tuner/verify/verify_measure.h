// Measures what a tuned config claims: the answer on new data, the roof, and rounds against its runner-up.
#pragma once

#include <optional>

#include "tuner/engine/tune_job.h"
#include "tuner/verify/measured.h"
#include "tuner/verify/verify_config.h"

namespace rooftune {

/// Seconds that it takes before its rounds, of a winner of which so much is known: its answer and its rival's
/// are checked, and ceilings are probed.
double checking_seconds(const VariantCost& winner);

/// Measures under the machine lock. Nothing after Ctrl-C. `setting` holds the claim's problem, and its space
/// the claim's winner; `machine` is a file's or measured: with one from a file the roof is what the file
/// says, and nothing is probed. Throws EnvironmentError.
std::optional<verify::Measured> measure_claim(const verify::Claim& claim, const Setting& setting,
                                              const Job& job, const MachineModel& machine,
                                              const CommonFlags& common, const VerifyRules& rules,
                                              MeasuringScreen& screen);

}  // namespace rooftune
