// The rule of a tuned set: which variant a problem gets that may not be in it, and how far that can be
// trusted.
#pragma once

#include <optional>
#include <span>

#include "models/space.h"
#include "tuner/config/tuned_set.h"
#include "tuner/transfer/closest_variant.h"

namespace rooftune {

/// What the rule chooses for a problem.
struct RuleChoice {
    std::optional<std::size_t>
        from;                 ///< problem of the group; empty: the default variant, because nothing is near
    std::size_t nearest = 0;  ///< the nearest problem, near enough or not
    double distance = 0.0;    ///< to it
    std::optional<ClosestVariant> variant;  ///< empty: the default variant
};

/// Applies the rule. The group has at least one problem, and `features` are as many as it has.
RuleChoice choose(const TunedGroup& group, std::span<const double> features, const Space& space);

/// The nearest problem of the group, other than `leave_out`; nullopt when there is none.
std::optional<std::size_t> nearest_problem(const TunedGroup& group, std::span<const double> features,
                                           std::optional<std::size_t> leave_out);

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
