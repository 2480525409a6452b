// The parts of `rooftune track`, each a command of its own.
#pragma once

#include "tuner/cli/commands.h"
#include "tuner/cli/options.h"

namespace rooftune {

void add_track_record(CLI::App& track, const Registry& registry, Action& action);
void add_track_report(CLI::App& track, const Registry& registry, Action& action);
void add_track_bisect(CLI::App& track, Action& action);
void add_track_selftest(CLI::App& track, Action& action);

/// The flags of commands that measure programs and not variants: where, how quiet, and by which draws.
void add_program_flags(CLI::App& app, CommonOptions& options);

}  // namespace rooftune
