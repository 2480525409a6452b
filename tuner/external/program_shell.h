// The run of a variant of a program as a line for a shell.
#pragma once

#include <string>
#include <vector>

#include "tuner/external/program_bench.h"

namespace rooftune::external {

/// Variables that the variant lacks are taken away, those that it has are set; on these processors (numbers
/// of the system's), on any where there are none.
std::string shell_command(const ProgramCall& call, const std::vector<int>& cpus);

}  // namespace rooftune::external
