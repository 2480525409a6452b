// Traffic as an interval: what any cache must exchange is its lower end; these parts are what probably
// comes on top with the loops that really run, each with the reason and the cure (three Cs). They rank and
// set aside; they never exclude.
#pragma once

#include <string>
#include <vector>

#include "models/units.h"

namespace rooftune {

enum class TrafficCause {
    compulsory,      ///< the least: every distinct byte once
    write_allocate,  ///< lines fetched because they are written; recent cores may evade it
    capacity,        ///< data that is needed again and had to leave
    conflict,        ///< lines that a power-of-two pitch drives out of their sets
};

std::string_view to_text(TrafficCause cause);

/// A cache as replacement sees it: what one variant's threads have of it together.
struct CacheShape {
    Bytes capacity{0.0};
    Bytes line{64.0};
    int ways = 8;  ///< 0: fully associative
};

struct TrafficPart {
    TrafficCause cause = TrafficCause::compulsory;
    Bytes bytes{0.0};  ///< both directions together, in one repetition
    std::string cure;  ///< what would take it away: "non-temporal stores"; empty for the compulsory part
};

/// The parts as numbers, for ranking millions of variants; bytes, both directions together.
struct TrafficAmounts {
    double compulsory = 0.0, write_allocate = 0.0, capacity = 0.0, conflict = 0.0;
    double total() const { return compulsory + write_allocate + capacity + conflict; }
};

/// Why a part is there and what would take it away, where it is there at all.
struct TrafficCures {
    std::string write_allocate, capacity, conflict;
};

/// The compulsory part, and those of the others that are not 0.
std::vector<TrafficPart> parts_of(const TrafficAmounts& amounts, const TrafficCures& cures);

/// The upper end of the interval: the sum.
Bytes total(const std::vector<TrafficPart>& parts);

}  // namespace rooftune
