// `rooftune machine` measures what this machine can do; `rooftune doctor` says what disturbs that.
#include <cstdio>
#include <iostream>
#include <memory>

#include "kernels/runtime/error.h"
#include "tuner/base/date.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/progress.h"
#include "tuner/command/common_flags.h"
#include "tuner/engine/machine_model.h"
#include "tuner/engine/tune_job.h"
#include "tuner/formats/machine_file.h"
#include "tuner/machine/audit/audit_command.h"
#include "tuner/machine/audit/peers.h"
#include "tuner/machine/commands.h"
#include "tuner/machine/doctor.h"
#include "tuner/machine/machine_diff.h"
#include "tuner/machine/summary.h"

namespace rooftune {
namespace {

struct MachineArguments {
    CommonFlags common;
    bool quick = false;
    bool show = false;
    AuditFlags audit;
    std::vector<std::string> diff;  ///< two names or files
};

// Nothing is measured, no processor is pinned: files speak, and of this machine what the system says of it.
int show_difference(const MachineArguments& a) {
    const Machine first = machine_by_name(a.common, a.diff.at(0), "--diff");
    const Machine second = machine_by_name(a.common, a.diff.at(1), "--diff");
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

void add_machine_command(Command& program) {
    auto a = std::make_shared<MachineArguments>();
    Command app = program.command("machine", "Measures what this machine can do: its ceilings");
    app.footer(
        "The file grows with each run: a stored maximum never falls. `rooftune doctor` says what disturbs "
        "measuring. With --backend opencl the device's own ceilings are measured as well.");
    add_common(app, a->common);
    const Option quick =
        app.flag("--quick", a->quick, "The coarse model, about 10 s (the full one takes about a minute)");
    const Option show = app.flag("--show", a->show, "Show what is known; measure nothing");
    app.option("--diff", a->diff,
               "Compare two of: machine files, presets, measured machines by name, this; measure nothing")
        .takes(2, "A B")
        .excludes(quick)
        .excludes(show);
    add_audit_flags(app, a->audit);
    app.runs([a] { return machine(*a); });
}

}  // namespace rooftune
