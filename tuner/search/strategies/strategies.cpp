#include "tuner/search/strategies/strategies.h"

#include <algorithm>

namespace rooftune {

const std::vector<StrategyKind>& strategy_kinds() {
    static const std::vector<StrategyKind> kinds{
        {"random", "every point as likely as the others, none twice", make_random},
        {"local", "down to the best neighbour, then a new start", make_local},
        {"annealing", "steps that may also lose, ever more rarely", make_annealing},
        {"genetic", "crossing and changing the best points so far", make_genetic},
    };
    return kinds;
}

const StrategyKind* find_strategy(std::string_view name) {
    const auto& kinds = strategy_kinds();
    const auto at = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.name == name; });
    return at == kinds.end() ? nullptr : &*at;
}

}  // namespace rooftune
