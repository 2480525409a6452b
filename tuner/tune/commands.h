// The commands tune, run, plot and explain: each adds itself to the program, with what it does.
#pragma once

#include "kernels/registry.h"
#include "tuner/command/command_line.h"

namespace rooftune {

void add_agent_command(Command& program, const Registry& registry);
void add_tune_command(Command& program, const Registry& registry);
void add_run_command(Command& program, const Registry& registry);
void add_explain_command(Command& program);
void add_plot_command(Command& program);

}  // namespace rooftune
