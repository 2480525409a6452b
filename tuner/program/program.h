// The program behind `rooftune`. Tests run it with families of their own.
#pragma once

#include "kernels/registry.h"

namespace rooftune {

/// Parses the command line, runs the command, prints errors; returns the exit status of the design.
int run_program(int argc, char** argv, Registry registry);

}  // namespace rooftune
