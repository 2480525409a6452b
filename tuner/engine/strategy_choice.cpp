#include "tuner/engine/strategy_choice.h"

#include <vector>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "tuner/base/joined.h"
#include "tuner/engine/tune_options.h"
#include "tuner/search/strategies/strategies.h"

namespace rooftune {
namespace {

std::vector<std::string> known_strategies() {
    std::vector<std::string> names;
    for (const StrategyKind& kind : strategy_kinds()) names.emplace_back(kind.name);
    return names;
}

}  // namespace

std::string strategy_names() {
    return joined(known_strategies(), ", ");
}

void check_strategy(const std::string& name) {
    if (name == kByBounds || find_strategy(name)) return;
    std::vector<std::string> names = known_strategies();
    names.emplace_back(kByBounds);
    throw InputError("--strategy " + name + ": there is none; " + suggestion(name, names));
}

}  // namespace rooftune
