// `rooftune machine` measures what this machine can do; `rooftune doctor` says what disturbs that.
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/clock.h"
#include "tuner/base/date.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/progress.h"
#include "tuner/base/standard_output.h"
#include "tuner/base/suggested.h"
#include "tuner/ceilings/implausible_levels.h"
#include "tuner/command/common_flags.h"
#include "tuner/command/node_flags.h"
#include "tuner/command/nodes_screen.h"
#include "tuner/command/notices.h"
#include "tuner/engine/machine_model.h"
#include "tuner/engine/tune_job.h"
#include "tuner/formats/machine_file.h"
#include "tuner/machine/audit/audit_command.h"
#include "tuner/machine/audit/peers.h"
#include "tuner/machine/commands.h"
#include "tuner/machine/device_summary.h"
#include "tuner/machine/doctor.h"
#include "tuner/machine/layout.h"
#include "tuner/machine/machine_diff.h"
#include "tuner/machine/node_health.h"
#include "tuner/machine/probe_progress.h"
#include "tuner/machine/summary.h"
#include "tuner/machine/topology_svg.h"
#include "tuner/machine/topology_text.h"

namespace rooftune {
namespace {

struct MachineArguments {
    CommonFlags common;
    bool quick = false;
    bool show = false;
    AuditFlags audit;
    std::vector<std::string> diff;  ///< two names or files
    bool topology = false;
    std::string svg;  ///< of the topology, or of the nodes
    ClusterOptions cluster;
};

// Only asked of the system: nothing is measured, no thread is pinned.
int show_topology(const MachineArguments& a) {
    const Topology topology = read_topology();
    const TopologyView view{read_layout(usable_cpus(), chosen_cpus(a.common)), topology.cpu,
                            topology.hypervisor};
    if (!a.svg.empty()) {
        write_atomically(a.svg, topology_svg(view));
        notices(a.common.quiet)("wrote " + std::filesystem::absolute(a.svg).string());
    }
    if (a.common.json) {
        print(topology_json(view).dump(2) + "\n");
    } else {
        print_page(topology_text(view));
    }
    return 0;
}

// Nothing is measured, no processor is pinned: files speak, and of this machine what the system says of it.
int show_difference(const MachineArguments& a) {
    const Machine first = machine_by_name(a.common, a.diff.at(0), "--diff");
    const Machine second = machine_by_name(a.common, a.diff.at(1), "--diff");
    const MachineDiff diff = machine_diff(first, second);
    if (a.common.json) {
        print(machine_diff_json(diff));
    } else {
        print_page(machine_diff_text(diff));
    }
    return 0;
}

// Each node measures itself; nothing is measured here.
int show_nodes(const MachineArguments& a) {
    if (!a.common.machine.empty() || a.common.backend == "opencl")
        throw InputError("--nodes measures the processors of nodes; leave --machine and --backend out");
    NodesScreen screen(a.common.quiet);
    const std::vector<NodeHealth> nodes = health_of_nodes(a.cluster, a.common, screen);
    screen.clear();
    if (!a.svg.empty()) {
        write_atomically(a.svg, node_health_svg(nodes, a.cluster.most_behind));
        notices(a.common.quiet)("wrote " + std::filesystem::absolute(a.svg).string());
    }
    if (a.common.json) {
        print(node_health_json(nodes));
    } else {
        print_page(node_health_text(nodes, a.cluster.most_behind));
    }
    return all_healthy(nodes) ? 0 : 1;
}

std::function<void(double, const std::string&)> shown_on(Progress& progress, bool quick) {
    return [&progress, usual = quick ? 10.0 : 60.0, start = monotonic_seconds()](double share,
                                                                                 const std::string& what) {
        progress.update(probe_progress(monotonic_seconds() - start, share, usual, what));
    };
}

// What is kept of the processors, where that is enough to go on with.
std::optional<MachineModel> known_processors(const CommonFlags& common) {
    struct Unknown {};
    try {
        return machine_model(common, chosen_cpus(common), [](const std::string&) { throw Unknown(); });
    } catch (const Unknown&) {
        return std::nullopt;
    }
}

int machine(const MachineArguments& a) {
    if (a.topology) {
        if (!a.common.machine.empty())
            throw InputError("--topology is of this machine; `rooftune machine --machine " +
                             a.common.machine + "` shows what that file has");
        if (a.common.backend == "opencl")
            throw InputError(
                "--topology is of the processing units; `rooftune list devices` shows OpenCL devices");
        return show_topology(a);
    }
    if (!a.diff.empty()) return show_difference(a);
    if (!a.cluster.nodes.empty()) return show_nodes(a);
    if (!a.svg.empty()) throw InputError("--svg draws what --topology or --nodes shows; give one of them");
    if (a.audit.audit) return audit_machine(a.common, a.audit, audit::built_in_peers());
    MachineModel model;
    Device device;
    // Found before any thread is pinned, since a CPU device's threads inherit where they may run.
    if (a.common.backend == "opencl") device = chosen_device(a.common, chosen_cpus(a.common));
    const bool of_device = a.common.backend == "opencl" && a.common.machine.empty();
    bool has_processors = of_device && a.show;  // known before this call, and not what was asked for
    if (a.show || !a.common.machine.empty()) {
        const auto refuse = [](const std::string&) {
            throw InputError("this machine is not known yet; " + suggested("machine") +
                             " without --show measures it");
        };
        model = machine_model(a.common, chosen_cpus(a.common), refuse);
    } else if (auto known = of_device ? known_processors(a.common) : std::nullopt) {
        model = std::move(*known);
        has_processors = true;
    } else {
        Progress progress(a.common.quiet);
        model = probe_this_machine(a.common, chosen_cpus(a.common), a.quick, shown_on(progress, a.quick));
    }
    if (a.common.backend == "opencl" && model.measured && !a.show) {
        Progress progress(a.common.quiet);
        const std::vector<int> cpus = chosen_cpus(a.common);
        probe_device(model, cpus, device, a.quick, shown_on(progress, a.quick));
    }
    if (a.common.json) {
        // The document is the machine file: what the page says below its tables is said beside it.
        const std::string doubt =
            implausible_levels_text(machine_of(model.machine, ""), suggested("machine"));
        if (!doubt.empty()) notices(a.common.quiet)(doubt);
        print(machine_to_json(model.machine));
    } else {
        const std::string text =
            has_processors ? device_page(model.machine, device) : summary_text(model.machine, utc_now());
        print_page(text + "\nMachine file: " + model.path + "\n");
    }
    return 0;
}

}  // namespace

void add_machine_command(Command& program) {
    auto a = std::make_shared<MachineArguments>();
    Command app = program.command("machine", "Measures what this machine can do: its ceilings");
    app.footer(
        "The file grows with each run: a stored maximum never falls. `rooftune doctor` says what disturbs "
        "measuring. With --backend opencl the device's ceilings are measured, and the processors' where they "
        "are "
        "not known yet.");
    add_common(app, a->common);
    const Option quick =
        app.flag("--quick", a->quick, "The coarse model, about 10 s (the full one takes about a minute)");
    const Option show = app.flag("--show", a->show, "Show what is known; measure nothing");
    Option diff = app.option(
        "--diff", a->diff,
        "Compare two of: machine files, presets, measured machines by name, this; measure nothing");
    diff.takes(2, "A B").excludes(quick).excludes(show);
    app.flag("--topology", a->topology,
             "Show this machine's packages, memories, caches, cores and processing units, which of them "
             "this process may use, and where threads are pinned; measure nothing")
        .excludes(quick)
        .excludes(show)
        .excludes(diff);
    add_node_flags(app, a->cluster);
    app.option("--svg", a->svg, "With --topology or --nodes: also write it as a drawing");
    add_audit_flags(app, a->audit);
    app.runs([a] { return machine(*a); });
}

}  // namespace rooftune
