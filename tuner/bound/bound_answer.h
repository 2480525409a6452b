// The answer to `rooftune bound`: a workload on a machine, with what was asked beside it. Written as JSON by
// bound_json.h, as text and plot by tuner/report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/hierarchy.h"
#include "models/machine.h"
#include "models/offload.h"
#include "models/workload.h"
#include "tuner/formats/machine_override.h"

namespace rooftune {

/// `--solve SIZE`. Without a value one side binds at every size.
struct SolvedSize {
    std::string size;
    std::optional<CriticalSize> critical;
    std::string binding;  ///< kind of the term that binds everywhere; empty with a critical value
};

/// The workload at one value of a size.
struct SweepPoint {
    double size = 0.0;
    WorkloadBound bound;
    double flops = 0.0;  ///< of all devices together
};

/// `--sweep SIZE=…`.
struct Sweep {
    std::string size;
    std::vector<SweepPoint> points;        ///< ascending
    std::vector<SweepPoint> curve;         ///< the same and many between them, for a plot
    std::optional<CriticalSize> critical;  ///< of this size, where there is one
};

/// What our own variants of a family could reach: the bound of the empty partial variant.
struct ProblemRoof {
    std::string title;  ///< "spmv poisson27, f64"
    std::uint64_t variants = 0;
    double flops = 0.0;
    Bound bound;
    std::string why_not;  ///< why there is none; the rest is empty then
};

/// `--host MACHINE`: what it takes to send the work from there and back.
struct OffloadAnswer {
    Machine host;
    WorkloadBound on_host;
    std::string link;  ///< its name: "pcie"
    BytesPerSecond each_way{0.0};
    std::string source;  ///< of the link's rate
    Offload times;       ///< both machines at their bounds
};

struct BoundAnswer {
    Machine machine;  ///< with the replaced values; terms of `bound` index its ceilings
    std::string family;
    WorkloadSpec spec;
    WorkloadSpec idle;      ///< of `spec` what `tune` takes and the least work knows nothing of (idle_keys.h)
    std::string idle_text;  ///< what those mean for the bound
    Workload workload;
    WorkloadBound bound;
    std::vector<LevelUse> levels;  ///< where the machine has caches and their rates; else empty
    std::vector<MachineOverride> set;
    std::optional<SolvedSize> solve;
    std::optional<Sweep> sweep;
    std::optional<ProblemRoof> problem_roof;
    std::optional<OffloadAnswer> offload;
    /// There are operations, and arithmetic bounds nothing since other processes ran whenever it was probed.
    bool peak_was_disturbed = false;
    bool dtype_by_default = false;    ///< nobody gave one, and it is the first that the preset states
    bool state_matters = false;       ///< whether warm and cold caches differ: not of a machine without any
    std::vector<std::string> doubts;  ///< what speaks against the machine's model (tuner/ceilings/doubts.h)
};

/// The binding term; nullptr where no ceiling applies.
const Term* binding_term(const Bound& bound);

/// The ceiling behind a term; nullptr where it has none.
const Ceiling* ceiling_of(const Machine& machine, const Term& term);

/// "272.17", "8755.6", "1.5e+09": five significant digits.
std::string critical_text(double value);

/// "compute bound for m > 272.17"; "memory bound for every m".
std::string solved_text(const SolvedSize& solved);

/// What a term's kind means for people: "compute", "memory", "links", "issue".
std::string side_of(TermKind kind);

}  // namespace rooftune
