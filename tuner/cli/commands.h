// The commands: each adds itself to the program and leaves what it does behind as a function that
// returns the exit status.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "kernels/registry.h"

namespace rooftune {

/// What to run once the command line is parsed; set by the chosen command.
using Action = std::function<int()>;

void add_tune_command(CLI::App& program, const Registry& registry, Action& action);
void add_machine_command(CLI::App& program, Action& action);
void add_bound_command(CLI::App& program, const Registry& registry, Action& action);
void add_doctor_command(CLI::App& program, Action& action);
void add_list_command(CLI::App& program, const Registry& registry, Action& action);
void add_run_command(CLI::App& program, const Registry& registry, Action& action);
void add_compare_command(CLI::App& program, const Registry& registry, Action& action);
void add_ladder_command(CLI::App& program, const Registry& registry, Action& action);
void add_verify_command(CLI::App& program, const Registry& registry, Action& action);
void add_track_command(CLI::App& program, const Registry& registry, Action& action);
void add_explain_command(CLI::App& program, Action& action);
void add_plot_command(CLI::App& program, Action& action);
void add_report_command(CLI::App& program, Action& action);
void add_results_command(CLI::App& program, Action& action);
void add_import_command(CLI::App& program, Action& action);
void add_replay_command(CLI::App& program, Action& action);
void add_export_command(CLI::App& program, Action& action);

}  // namespace rooftune
