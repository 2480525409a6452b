// The command list: each adds itself to the program, with what it does.
#pragma once

#include "kernels/registry.h"
#include "tuner/command/command_line.h"

namespace rooftune {

void add_list_command(Command& program, const Registry& registry);
void add_help_command(Command& program);

}  // namespace rooftune
