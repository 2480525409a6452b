// One entry of a kernel's history, measured: a tuned config's variant on this machine as it is now.
#pragma once

#include <optional>

#include "kernels/registry.h"
#include "tuner/engine/options.h"
#include "tuner/formats/config_catalogue.h"
#include "tuner/track/entry.h"
#include "tuner/track/measuring_screen.h"

namespace rooftune {

/// Verified, timed in several fresh processes, with the ceilings that bind probed beside. Revision, note and
/// steps are the caller's. Nothing after Ctrl-C. A variant that fails is an entry, whose outcome says how.
/// `here` is this machine's fingerprint. Throws InputError where the config cannot be measured here (another
/// problem by now, a variant that does not exist here), and EnvironmentError where no worker can be had.
std::optional<track::Entry> measure_entry(const ConfigFile& file, const CommonOptions& common, double seconds,
                                          const std::string& here, const Registry& registry,
                                          MeasuringScreen& screen);

}  // namespace rooftune
