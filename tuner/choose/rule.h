// The rule of a tuned set: which variant a problem gets that may not be in it.
#pragma once

#include <optional>
#include <span>

#include "models/space.h"
#include "tuner/choose/closest_variant.h"
#include "tuner/formats/tuned_set.h"

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

}  // namespace rooftune
