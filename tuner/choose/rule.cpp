#include "tuner/choose/rule.h"

#include <limits>

#include "tuner/choose/features.h"

namespace rooftune {
namespace {

// Features are read back from text, and the farthest problem that was left out is within reach.
constexpr double kRounding = 1.0 + 1e-12;

}  // namespace

std::optional<std::size_t> nearest_problem(const TunedGroup& group, std::span<const double> features,
                                           std::optional<std::size_t> leave_out) {
    std::optional<std::size_t> nearest;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < group.problems.size(); ++i) {
        if (i == leave_out) continue;
        const double away = feature_distance(features, group.problems[i].features, group.scales);
        if (away < least) {
            least = away;
            nearest = i;
        }
    }
    return nearest;
}

RuleChoice choose(const TunedGroup& group, std::span<const double> features, const Space& space) {
    RuleChoice choice;
    choice.nearest = nearest_problem(group, features, std::nullopt).value_or(0);
    const TunedProblem& nearest = group.problems[choice.nearest];
    choice.distance = feature_distance(features, nearest.features, group.scales);
    if (choice.distance > group.reach * kRounding) return choice;
    choice.variant = closest_variant(space, nearest.best);
    if (choice.variant) choice.from = choice.nearest;
    return choice;
}

}  // namespace rooftune
