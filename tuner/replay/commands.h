// The commands replay and export: each adds itself to the program, with what it does.
#pragma once

#include "tuner/command/command_line.h"

namespace rooftune {

void add_replay_command(Command& program);
void add_export_command(Command& program);

}  // namespace rooftune
