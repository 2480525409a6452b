// Two machines side by side: what differs in topology, and how the rates compare. Ceilings are matched
// loosely, best rate by best rate, so that a measured machine can be held against a preset with a handful of
// figures, and one processor against another with other caches.
#pragma once

#include <string>
#include <vector>

#include "models/machine.h"

namespace rooftune {

/// One fact of the topology that is not the same.
struct TopologyDifference {
    std::string what, a, b;
};

/// One rate that both machines have, as it was seen on each. Always a speed: of latency, loads a second.
struct RatePair {
    std::string group;  ///< "peak", "bandwidth", …
    std::string name;   ///< "f64, all threads", "load from L2, 1 thread"
    std::string unit;
    double a = 0.0, b = 0.0;
    double margin_a = 0.0, margin_b = 0.0;    ///< of noise: Ceiling::margin()
    double at_most_a = 0.0, at_most_b = 0.0;  ///< what bounds take it for, a limit but of a ridge; 0: none
    bool proven_a = true, proven_b = true;    ///< whether it is the machine's, or what others left of it

    double ratio() const { return b / a; }
    /// Whether it tells one machine from the other: what was disturbed on one of them does not.
    bool judged() const { return proven_a && proven_b; }
    /// Whether it is judged, and one is faster than the other by more than either margin.
    bool beyond_margins() const;
};

struct MachineDiff {
    std::string name_a, name_b;
    std::vector<TopologyDifference> topology;
    std::vector<RatePair> rates;
    std::vector<std::string> only_a, only_b;  ///< "group: name" of rates that the other lacks
    bool identical = false;                   ///< the same in everything that is stored

    /// No fact differs, no judged rate beyond the margins, and neither has what the other lacks.
    bool no_difference() const;
};

/// Compares the processing units' own ceilings (not those of OpenCL devices), as they were seen: peaks and
/// the memory's bandwidth are judged where they are proven (BestRate), all else where it was seen
/// undisturbed. By level: at the deepest footprint inside it; levels are matched by name, "memory" being what
/// lies beyond the caches. All threads: the largest number measured, or a preset's whole machine.
MachineDiff machine_diff(const Machine& a, const Machine& b);

/// For a terminal: facts, then a table a group with the ratio B/A, then what only one of them has.
std::string machine_diff_text(const MachineDiff& diff);

/// One JSON document (configs/schema/machine-diff.schema.json).
std::string machine_diff_json(const MachineDiff& diff);

}  // namespace rooftune
