// The commands compare and track: each adds itself to the program, with what it does.
#pragma once

#include "kernels/registry.h"
#include "tuner/command/command_line.h"

namespace rooftune {

void add_compare_command(Command& program, const Registry& registry);
void add_track_command(Command& program, const Registry& registry);

}  // namespace rooftune
