// The audit: everybody's code against our ceilings. A ceiling that excludes must be one that nobody passes,
// so whatever can be found on the machine is run, and what comes out above a ceiling is followed up: measured
// again, with the ceiling probed again. Either the ceiling was too low, and rises; or the claim behind the
// rate (its flops, its bytes, its clock) is wrong; or nobody knows, which is said.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/machine.h"
#include "tuner/machine/audit/case.h"
#include "tuner/machine/audit/judge.h"

namespace rooftune::audit {

enum class PeerVerdict {
    below,          ///< at most the ceiling
    raised,         ///< above; probed again, the ceiling reached the rate and rose
    outgrown,       ///< above; probed again, the ceiling reached the rate, but is frozen
    not_repeated,   ///< above once; not when measured again, and the probe did not reach it either
    within_margin,  ///< above, again and again, by less than the margin that every exclusion leaves
    unexplained,    ///< beyond the margin, again and again, and no probe comes near
    not_judged,     ///< not measured, or no ceiling to judge it by
};
std::string_view to_text(PeerVerdict v);

struct PeerFinding {
    int pass = 0;
    Case what;
    Measurement measurement;
    PeerVerdict verdict = PeerVerdict::not_judged;
    std::vector<Check> checks;  ///< against the ceilings as they were before anything was probed again
    std::string explanation;    ///< of a rate above a ceiling, or why it was not judged

    bool above() const { return verdict != PeerVerdict::below && verdict != PeerVerdict::not_judged; }
};

struct Rules {
    int passes = 1;
    bool frozen = false;         ///< ceilings stay as they were, whatever the probes say
    double pass_seconds = 80.0;  ///< no further case begins after this; what is left out is counted
    int probes = 3;              ///< of a ceiling that something is above, at most
    int again = 2;               ///< further measurements of what is above, each of twice the length
};

/// What an audit needs of the world.
struct World {
    /// One measurement; `stretch` times as long as usual.
    std::function<Measurement(const Case&, double stretch)> measure;
    /// The ceilings that this case has to stay under, probed afresh and not merged: all mixes and streams at
    /// its own footprint, or the peaks of its element type.
    std::function<std::vector<Ceiling>(const Case&)> probe_again;
    std::function<double()> now;       ///< seconds, monotonic
    std::function<bool()> keep_going;  ///< false ends the audit early; what was found stands
    std::function<void(int pass, double share, const Case&)> on_case;  ///< before each; may be empty
};

struct Audit {
    Rules rules;
    std::vector<PeerFinding> findings;
    std::vector<int> left_out;    ///< cases of each pass for which there was no time
    std::vector<Ceiling> raised;  ///< as they are now; empty when frozen
    int complete_passes = 0;
    bool interrupted = false;

    int count(PeerVerdict v) const;
    int above() const;
};

/// Runs the cases, pass by pass. `machine` rises with the ceilings that do, unless they are frozen.
Audit run_audit(Machine& machine, const std::vector<Case>& cases, const Rules& rules, const World& world);

}  // namespace rooftune::audit
