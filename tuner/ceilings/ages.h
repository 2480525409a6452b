// Ceilings age: what a machine could do a month ago it may do no longer, and what was never asked of it is
// not known. Pure: dates go in.
#pragma once

#include <string>

#include "models/machine.h"
#include "tuner/ceilings/plan.h"

namespace rooftune {

/// Ceilings that only rank are probed again before a tune once they are so old.
inline constexpr double kDay = 24.0 * 3600.0;
/// Ceilings that were last seen before so long are counted as old for the reader.
inline constexpr double kOld = 30.0 * kDay;

/// The targets of the plan that the machine has no ceiling for, or one last seen more than `most_seconds`
/// before `now` (a date as utc_now() writes it). A ceiling whose date cannot be read counts as old; one from
/// the future, as a clock that was set back leaves it, does not. Groups keep their order; empty ones go.
ProbePlan missing_or_old(const Machine& machine, const ProbePlan& plan, const std::string& now,
                         double most_seconds = kDay);

struct CeilingAges {
    std::string oldest, newest;  ///< dates; empty when no ceiling has one
    int old = 0;                 ///< last seen more than kOld before now
    int dated = 0;               ///< with a date: a preset's have none
};

/// `now` empty: nothing is counted as old.
CeilingAges ages_of(const Machine& machine, const std::string& now);

}  // namespace rooftune
