// The rule of a tuned set on trial: what it gave problems that it might not see, and how far that lets it be
// trusted.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "tuner/formats/tuned_set.h"

namespace rooftune {

/// The greatest distance at which leaving problems out has shown the rule to be worth it: of the problems
/// left out with at most that distance to their nearest, at least nine in ten got a variant that works and is
/// not slower than their default variant (where that was not measured: at most a tenth slower than their
/// winner). 0 without any.
double reach_of(std::span<const TunedProblem> problems);

/// What leaving each problem out in turn cost, over the problems where it was measured.
struct LeaveOneOut {
    int problems = 0;
    int failed = 0;                       ///< got no variant, or one that does not work
    double median = 0.0, worst = 0.0;     ///< regret, time over the winner's less 1; of those that work
    std::optional<std::size_t> worst_at;  ///< the problem
};
LeaveOneOut leave_one_out(std::span<const TunedProblem> problems);

}  // namespace rooftune
