#include "tuner/bound/commands.h"
#include "tuner/import/commands.h"
#include "tuner/inspect/commands.h"
#include "tuner/ladder/commands.h"
#include "tuner/machine/commands.h"
#include "tuner/own/commands.h"
#include "tuner/program/commands.h"
#include "tuner/replay/commands.h"
#include "tuner/report/commands.h"
#include "tuner/results/commands.h"
#include "tuner/track/commands.h"
#include "tuner/tune/commands.h"
#include "tuner/verify/commands.h"

namespace rooftune {

void add_all_commands(Command& program, const Registry& registry) {
    add_tune_command(program, registry);
    add_machine_command(program);
    add_bound_command(program, registry);
    add_inspect_command(program, registry);
    add_doctor_command(program);
    add_run_command(program, registry);
    add_compare_command(program, registry);
    add_ladder_command(program, registry);
    add_verify_command(program, registry);
    add_track_command(program, registry);
    add_explain_command(program);
    add_plot_command(program);
    add_report_command(program);
    add_results_command(program);
    add_import_command(program);
    add_replay_command(program);
    add_export_command(program);
    add_new_command(program);
    add_check_command(program);
    add_flags_command(program);
    add_agent_command(program, registry);
    add_list_command(program, registry);
    add_help_command(program);
}

}  // namespace rooftune
