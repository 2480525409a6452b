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

void check_options(const TuneOptions& o) {
    const auto require = [](bool holds, const std::string& what) {
        if (!holds) throw InputError(what);
    };
    check_strategy(o.strategy);
    require(o.epsilon >= 0.0 && o.epsilon <= 10.0, "epsilon has to be a share from 0 to 10");
    require(o.patience >= 0, "patience has to be a number of evaluations, or 0 for the usual one");
    require(o.audit >= 0, "audit has to be a number of variants, 0 or more");
    require(o.finals_seconds >= 0.0, "finals_seconds has to be a time in seconds, or 0 for the usual one");
    require(o.common.threads >= 0, "threads has to be a number of processors, or 0 for all");
    require(state_from(o.common.state).has_value(),
            "the state '" + o.common.state + "' is none; write warm or cold");
    require(o.common.backend.empty() || backend_from(o.common.backend),
            "the backend '" + o.common.backend + "' is none; write cpu or opencl");
}

void check_budget(const Budget& budget) {
    if (!(budget.seconds >= 0.0) || budget.evaluations < 0)
        throw InputError("a budget has to be a time in seconds and a number of evaluations, 0 for no limit");
}

}  // namespace rooftune
