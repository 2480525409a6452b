// The command results: each adds itself to the program, with what it does.
#pragma once

#include "tuner/command/command_line.h"

namespace rooftune {

void add_results_command(Command& program);

}  // namespace rooftune
