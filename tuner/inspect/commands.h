// The command inspect: it adds itself to the program, with what it does.
#pragma once

#include "kernels/registry.h"
#include "tuner/command/command_line.h"

namespace rooftune {

void add_inspect_command(Command& program, const Registry& registry);

}  // namespace rooftune
