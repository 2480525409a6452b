// What may decide the order of measuring, by name.
#pragma once

#include <string>

namespace rooftune {

/// Every strategy but the bounds, for a sentence: "random, genetic, …".
std::string strategy_names();

/// Throws InputError for a name that is neither the bounds' nor a strategy's, with the nearest that is.
void check_strategy(const std::string& name);

}  // namespace rooftune
