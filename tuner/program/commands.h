// The commands `list` and `help`: each adds itself to the program, with what it does. And all that there are.
#pragma once

#include "kernels/registry.h"
#include "tuner/command/command_line.h"

namespace rooftune {

void add_list_command(Command& program, const Registry& registry);
void add_help_command(Command& program);

/// Every command of every feature, in the order in which the help lists them.
void add_all_commands(Command& program, const Registry& registry);

}  // namespace rooftune
