// `rooftune machine` measures what this machine can do; `rooftune doctor` says what disturbs that.
#include <cstdio>
#include <iostream>
#include <memory>

#include "kernels/runtime/error.h"
#include "tuner/audit/peers.h"
#include "tuner/cli/audit_command.h"
#include "tuner/cli/commands.h"
#include "tuner/cli/machine_model.h"
#include "tuner/cli/tune_job.h"
#include "tuner/config/date.h"
#include "tuner/config/machine_file.h"
#include "tuner/machine/doctor.h"
#include "tuner/machine/summary.h"
#include "tuner/measure/interrupt.h"
#include "tuner/report/machine_diff.h"
#include "tuner/report/progress.h"

namespace rooftune {
namespace {

struct MachineArguments {
    CommonOptions common;
    bool quick = false;
    bool show = false;
    AuditFlags audit;
    std::vector<std::string> diff;  ///< two files or presets
};

// Nothing is measured, no processor is pinned: the files alone speak.
int show_difference(const MachineArguments& a) {
    const Machine first = read_machine_file(machine_path(a.diff.at(0), "--diff"));
    const Machine second = read_machine_file(machine_path(a.diff.at(1), "--diff"));
    const MachineDiff diff = machine_diff(first, second);
    std::cout << (a.common.json ? machine_diff_json(diff) : machine_diff_text(diff));
    return 0;
}

int machine(const MachineArguments& a) {
    if (!a.diff.empty()) return show_difference(a);
    if (a.audit.audit) return audit_machine(a.common, a.audit, audit::built_in_peers());
    MachineModel model;
    Device device;
    // Found before any thread is pinned, since a CPU device's threads inherit where they may run.
    if (a.common.backend == "opencl") device = chosen_device(a.common, chosen_cpus(a.common));
    if (a.show || !a.common.machine.empty()) {
        const auto refuse = [](const std::string&) {
            throw InputError("this machine is not known yet; `rooftune machine` without --show measures it");
        };
        model = machine_model(a.common, chosen_cpus(a.common), refuse);
    } else {
        Progress progress(a.common.quiet);
        ProgressState state;
        state.budget_seconds = a.quick ? 10.0 : 60.0;
        model = probe_this_machine(a.common, chosen_cpus(a.common), a.quick,
                                   [&](double done, const std::string& what) {
                                       state.phase = what;
                                       state.elapsed_seconds = done * state.budget_seconds;
                                       progress.update(state);
                                   });
    }
    if (a.common.backend == "opencl" && model.measured && !a.show) {
        Progress progress(a.common.quiet);
        ProgressState state;
        state.budget_seconds = a.quick ? 10.0 : 60.0;
        const std::vector<int> cpus = chosen_cpus(a.common);
        probe_device(model, cpus, device, a.quick, [&](double done, const std::string& what) {
            state.phase = what;
            state.elapsed_seconds = done * state.budget_seconds;
            progress.update(state);
        });
    }
    if (a.common.json) {
        std::cout << machine_to_json(model.machine);
    } else {
        std::cout << summary_text(model.machine, utc_now()) << "\nMachine file: " << model.path << "\n";
    }
    return 0;
}

}  // namespace

void add_machine_command(CLI::App& program, Action& action) {
    auto a = std::make_shared<MachineArguments>();
    CLI::App* app = program.add_subcommand("machine", "Measures what this machine can do: its ceilings");
    app->footer(
        "The file grows with each run: a stored maximum never falls. `rooftune doctor` says what disturbs "
        "measuring. With --backend opencl the device's own ceilings are measured as well.");
    add_common(*app, a->common);
    CLI::Option* quick = app->add_flag("--quick", a->quick,
                                       "The coarse model, about 10 s (the full one takes about a minute)");
    CLI::Option* show = app->add_flag("--show", a->show, "Show what is known; measure nothing");
    app->add_option("--diff", a->diff, "Compare two machine files or presets; measure nothing")
        ->expected(2)
        ->type_name("A B")
        ->excludes(quick)
        ->excludes(show);
    add_audit_flags(*app, a->audit);
    app->callback([a, &action] { action = [a] { return machine(*a); }; });
}

}  // namespace rooftune
