// The command report: each adds itself to the program, with what it does.
#pragma once

#include "tuner/command/command_line.h"

namespace rooftune {

void add_report_command(Command& program);

}  // namespace rooftune
