// --command and its companions: a program that is tuned as it is, described by flags in place of a file.
#pragma once

#include <string>
#include <vector>

#include "kernels/registry.h"
#include "tuner/command/command_line.h"
#include "tuner/engine/job.h"
#include "tuner/external/program_description.h"

namespace rooftune {

void add_program_description(Command& app, external::ProgramFlags& flags);

/// The job of the program that the flags describe. `words`: what stands beside them on the line, which may be
/// sizes as key=value. Throws InputError for words that name another problem, and as composed_description().
Job job_described(const external::ProgramFlags& flags, const std::vector<std::string>& words,
                  const Registry& registry);

}  // namespace rooftune
