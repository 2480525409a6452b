// The command import: each adds itself to the program, with what it does.
#pragma once

#include "tuner/command/command_line.h"

namespace rooftune {

void add_import_command(Command& program);

}  // namespace rooftune
