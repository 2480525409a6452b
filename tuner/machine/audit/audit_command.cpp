#include "tuner/machine/audit/audit_command.h"
#include "tuner/engine/worker_program.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "kernels/runtime/memory.h"
#include "kernels/runtime/team.h"
#include "tuner/base/clock.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/progress.h"
#include "tuner/base/standard_output.h"
#include "tuner/ceilings/plan.h"
#include "tuner/ceilings/probe_machine.h"
#include "tuner/command/notices.h"
#include "tuner/engine/machine_model.h"
#include "tuner/engine/tune_job.h"
#include "tuner/machine/audit/audit_json.h"
#include "tuner/machine/audit/serve.h"
#include "tuner/store/machine_lock.h"

namespace rooftune {
namespace {

using audit::Case;
using audit::Peer;

constexpr double kCaseSeconds = 0.1;
constexpr double kCaseDeadline = 30.0;  // seconds; making a large problem takes one of them
constexpr double kProbeSeconds = 1.5;

// Each peer's cases in turn with the others': a slow spell of the machine hits none of them entirely, nor
// does the end of the time.
std::vector<Case> interleave(const std::vector<std::vector<Case>>& lists) {
    std::vector<std::pair<double, const Case*>> order;
    for (const auto& list : lists) {
        for (std::size_t i = 0; i < list.size(); ++i)
            order.emplace_back((static_cast<double>(i) + 0.5) / static_cast<double>(list.size()), &list[i]);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Case> cases;
    for (const auto& [at, c] : order) cases.push_back(*c);
    return cases;
}

// What may raise the ceilings over a case: the peaks of its element type, or every walk at its footprint.
std::vector<Ceiling> ceilings_over(const Case& what, const Topology& topology, int threads) {
    const bool compute = what.least.flops.value > 0.0;
    const ProbePlan plan = compute ? peak_conditions_for(topology, what.dtype, threads)
                                   : probe_conditions_for(topology, what.least.footprint, what.dtype, threads,
                                                          Bytes(available_memory()));
    std::vector<Ceiling> ceilings;
    for (const auto& group : plan.groups) {
        for (const probe::Target& target : group) {
            if (target.when.threads != what.threads) continue;
            if (target.resource != (compute ? Resource::compute : Resource::bandwidth)) continue;
            Ceiling c;
            c.resource = target.resource;
            c.when = target.when;
            ceilings.push_back(std::move(c));
        }
    }
    return ceilings;
}

}  // namespace

void add_audit_flags(Command& app, AuditFlags& flags) {
    const Option on = app.flag("--audit", flags.audit,
                               "Hold every library found here against the ceilings, about a minute");
    app.option("--passes", flags.passes, "With --audit: how often").needs(on).range(1, 1000).shows_default();
    app.flag("--frozen", flags.frozen, "With --audit: no ceiling rises").needs(on);
}

int audit_machine(const CommonFlags& common, const AuditFlags& flags, const std::vector<Peer>& peers) {
    if (common.backend == "opencl")
        throw InputError("--audit is about the processors themselves; leave out --backend opencl");
    const std::vector<int> cpus = chosen_cpus(common);
    const Notice notice = notices(common.quiet);
    MachineModel model = machine_model(common, cpus, notice);
    const MachineLock lock([] { return !interrupted(); });
    Machine machine = machine_of(model.machine, "");
    const int threads = static_cast<int>(cpus.size());
    const std::string program = kThisProgram;

    audit::PeerSetting setting;
    setting.topology = machine.topology;
    setting.cpus = cpus;
    setting.places = audit::places_of(
        machine.topology, threads, largest_footprint(machine.topology, threads, Bytes(available_memory())));
    const Roofs roofs(machine);
    setting.expected_rate = [&](const audit::Place& place) {
        const BandwidthStep* step = audit::step_at(roofs, place.threads, place.footprint);
        return step ? step->both : 1e10;
    };

    audit::Report report;
    report.machine = machine.name;
    std::map<std::string, const Peer*> by_name;
    std::vector<std::vector<Case>> lists;
    for (const Peer& peer : peers) {
        if (interrupted()) return 130;
        const audit::Found found = audit::find_peer(program, peer, cpus);
        report.peers.push_back({peer.name, found.ok, found.detail, peer.package});
        by_name[peer.name] = &peer;
        if (found.ok) lists.push_back(peer.cases(setting));
    }

    Progress progress(common.quiet);
    ProgressState state;
    audit::Rules rules;
    rules.passes = flags.passes;
    rules.frozen = flags.frozen;
    state.budget_seconds = 60.0 * flags.passes;
    audit::World world;
    world.now = monotonic_seconds;
    world.keep_going = [] { return !interrupted(); };
    world.measure = [&](const Case& what, double stretch) {
        return audit::measure_in_child(program, *by_name.at(what.peer), what, cpus, stretch * kCaseSeconds,
                                       kCaseDeadline);
    };
    world.probe_again = [&](const Case& what) {
        // The team goes again with this probe, so that no thread of it waits beside the next child.
        Team team(cpus);
        Reprober reprober(team);
        return reprober(ceilings_over(what, machine.topology, threads), kProbeSeconds);
    };
    world.on_case = [&](int pass, double share, const Case& what) {
        state.phase = (flags.passes > 1 ? "pass " + std::to_string(pass + 1) + ", " : "") + describe(what);
        state.elapsed_seconds = 60.0 * (pass + share);
        progress.update(state);
    };
    report.audit = run_audit(machine, interleave(lists), rules, world);
    if (!report.audit.raised.empty()) remember(model, machine);
    if (common.json) {
        print(to_json(report, machine).dump(2) + "\n");
    } else {
        print_page(to_text(report, machine));
    }
    return status_of(report.audit);
}

}  // namespace rooftune
