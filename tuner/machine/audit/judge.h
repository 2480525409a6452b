// The judge of an audit: rates that somebody reached against the ceilings that nobody may pass. Pure
// arithmetic; nothing is measured here.
#pragma once

#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "models/roofs.h"
#include "tuner/machine/audit/case.h"

namespace rooftune::audit {

/// What a rate is claimed to be of, and so which ceiling it has to stay under.
enum class Claim {
    flops,   ///< the peak of its element type on its threads, any vector width and mix
    reads,   ///< B*(footprint), read direction
    writes,  ///< B*(footprint), written
    both,    ///< B*(footprint), both directions together
};
std::string_view to_text(Claim c);
/// "flop/s" or "B/s".
std::string_view unit_of(Claim c);

/// One rate beside its ceiling.
struct Check {
    Claim claim = Claim::flops;
    double rate = 0.0;
    double ceiling = 0.0;
    int index = -1;       ///< of the ceiling in the machine
    double like = 0.0;    ///< the highest ceiling of the case's own mix; 0 where there is none
    double margin = 0.0;  ///< μ of the ceiling: what excludes is the ceiling over 1 − μ

    /// Of the ceiling; infinite for a rate that is no number, which must not pass as a small one.
    double share() const {
        return std::isnan(rate) || ceiling <= 0.0 ? std::numeric_limits<double>::infinity() : rate / ceiling;
    }
    bool above() const { return !(rate <= ceiling); }
    /// Above by more than the ceiling's noise: a bound, margin included, would have excluded this.
    bool beyond_margin() const { return !(rate * (1.0 - margin) <= ceiling); }
};

/// The bytes that the fastest part of a walk over `footprint` bytes may move in a second: the step of B*
/// at the largest measured footprint that is no larger; the first step below all of them. Null when bandwidth
/// was never measured on so many threads.
const BandwidthStep* step_at(const Roofs& roofs, int threads, Bytes footprint);

/// A check for each amount of the case that the machine has a ceiling for. None when the time is not a
/// positive finite number.
std::vector<Check> judge(const Case& c, const Measurement& m, const Roofs& roofs);

/// The check nearest to its ceiling, or furthest above it; null for none.
const Check* tightest(const std::vector<Check>& checks);

}  // namespace rooftune::audit
