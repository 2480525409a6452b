// Flags that several commands share.
#pragma once

#include "tuner/command/command_line.h"
#include "tuner/engine/options.h"

namespace rooftune {

void add_common(Command& app, CommonOptions& options);

/// `--delta`, the threshold of comparisons; `delta` stays 0 where it is not given.
void add_delta(Command& app, double& delta);

/// The flags of commands that measure programs and not variants: where, how quiet, and by which draws.
void add_program_flags(Command& app, CommonOptions& options);

}  // namespace rooftune
