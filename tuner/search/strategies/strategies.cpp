#include "tuner/search/strategies/strategies.h"

#include <algorithm>
#include <cmath>

namespace rooftune {

std::optional<double> usable_time(std::optional<double> seconds) {
    if (seconds && std::isfinite(*seconds) && *seconds > 0.0) return seconds;
    return std::nullopt;
}

const std::vector<StrategyKind>& strategy_kinds() {
    static const std::vector<StrategyKind> kinds{
        {"exhaustive", "every point in the order of the space", make_exhaustive},
        {"random", "every point as likely as the others, none twice", make_random},
        {"local", "down to the best neighbour, then a new start", make_local},
        {"annealing", "steps that may also lose, ever more rarely", make_annealing},
        {"genetic", "crossing and changing the best points so far", make_genetic},
        {"differential", "steps along the differences of good points", make_differential},
        {"swarm", "particles drawn to where they and all others were best", make_swarm},
        {"surrogate", "a forest that learns what to expect, and asks for the most promising", make_surrogate},
        {"bandit", "whichever of the others improves on the best", make_bandit},
    };
    return kinds;
}

const StrategyKind* find_strategy(std::string_view name) {
    const auto& kinds = strategy_kinds();
    const auto at = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.name == name; });
    return at == kinds.end() ? nullptr : &*at;
}

}  // namespace rooftune
