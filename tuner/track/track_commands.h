// The parts of `rooftune track`, each a command of its own.
#pragma once

#include "tuner/engine/options.h"
#include "tuner/track/commands.h"

namespace rooftune {

void add_track_record(Command& track, const Registry& registry);
void add_track_report(Command& track, const Registry& registry);
void add_track_bisect(Command& track);
void add_track_selftest(Command& track);

}  // namespace rooftune
