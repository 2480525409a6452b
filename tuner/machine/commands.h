// The commands machine and doctor: each adds itself to the program, with what it does.
#pragma once

#include "tuner/command/command_line.h"

namespace rooftune {

void add_machine_command(Command& program);
void add_doctor_command(Command& program);

}  // namespace rooftune
