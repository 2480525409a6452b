// Flags that several commands share.
#pragma once

#include "tuner/command/command_line.h"
#include "tuner/engine/options.h"

namespace rooftune {

/// What a command is told beside where it measures: how it answers.
struct CommonFlags : CommonOptions {
    bool json = false;
    bool quiet = false;
};

void add_common(Command& app, CommonFlags& options);

/// `--delta`, the threshold of comparisons; `delta` stays 0 where it is not given.
void add_delta(Command& app, double& delta);

/// The flags of commands that measure programs and not variants: where, how quiet, and by which draws.
void add_program_flags(Command& app, CommonFlags& options);

}  // namespace rooftune
