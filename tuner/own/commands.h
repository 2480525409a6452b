// Commands for kernels of the user's own: an example to start from, what a source declares, and the flags of
// a tuned config.
#pragma once

#include "tuner/command/command_line.h"

namespace rooftune {

void add_new_command(Command& program);
void add_check_command(Command& program);
void add_flags_command(Command& program);

}  // namespace rooftune
