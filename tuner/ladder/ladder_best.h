// Where the best variant of a ladder comes from.
#pragma once

#include <optional>
#include <string>

#include "tuner/base/notice.h"
#include "tuner/engine/job.h"
#include "tuner/engine/options.h"
#include "tuner/formats/config_catalogue.h"

namespace rooftune {

/// The newest tuned config of this very problem (family, content, backend, state of the caches) that this
/// machine was tuned for, in the results folder, its folder tuned/ or --out; nothing where there is none, or
/// where it is for other threads or another device than the command line asks for. `machine` is a
/// fingerprint.
std::optional<ConfigFile> newest_config(const Job& job, const Problem& problem, const CommonOptions& common,
                                        const std::string& machine, const Notice& notice);

}  // namespace rooftune
