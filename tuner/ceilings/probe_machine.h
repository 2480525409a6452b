// Drives the probes over a plan: rounds over all groups, so that the windows of one ceiling are spread
// over the whole run and a slow spell of the machine hits none of them entirely.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kernels/probe/prober.h"
#include "kernels/runtime/team.h"
#include "models/machine.h"
#include "tuner/ceilings/plan.h"

namespace rooftune {

/// Called after each ceiling is merged into the machine, with the share of the plan done (of its first
/// round, then of its time). Returning false ends the probing; what was found stays.
using OnCeiling = std::function<bool(const Ceiling& fresh, double done)>;

/// Probes the plan on the team and merges every ceiling as it is found. Targets that cannot be probed
/// here are left out. Probed cache sizes are set at the end. Returns the number of ceilings probed.
/// Footprints whose memory is refused are skipped.
int probe_machine(Machine& machine, Team& team, const ProbePlan& plan, const OnCeiling& on_ceiling = {});

/// A machine with its topology, name and fingerprint, and no ceilings yet.
Machine new_machine();

/// Measures given ceilings again for a short time. Keeps its memory and what it learnt about the
/// fastest way of each between calls; a worker holds one.
class Reprober {
public:
    explicit Reprober(Team& team);
    ~Reprober();

    /// Fresh rates (not merged with the old maxima), one for each ceiling in the order given, within
    /// about `seconds` and with at least one window each. A ceiling that cannot be probed here comes
    /// back with max 0.
    std::vector<Ceiling> operator()(const std::vector<Ceiling>& ceilings, double seconds);

    /// Gives the memory back until the next call.
    void release();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// One Reprober a team, kept for the life of the process: in the form that a worker wants.
std::vector<Ceiling> reprobe(const std::vector<Ceiling>& ceilings, Team& team, double seconds);

/// Re-measures ceilings of the machine (by index) and raises those that rose; returns the fresh rates.
std::vector<Ceiling> reprobe(Machine& machine, Team& team, const std::vector<int>& ceilings, double seconds);

}  // namespace rooftune
