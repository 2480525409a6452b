// The tuned config as a C++ header, for programs that want the winner at compile time.
#pragma once

#include <string>
#include <string_view>

#include "tuner/formats/tuned_config.h"

namespace rooftune {

/// A C++ identifier as near to the text as the language allows: letters, digits and single
/// underscores, no leading digit or underscore, keywords with an underscore behind them, "tuned" when nothing
/// is left.
std::string identifier_of(std::string_view text);

/// The header's text, C++17 and alone compilable: namespace rooftune_tuned::NAME with the config's
/// facts as constexpr values (the time in seconds), and each parameter of the winner in its nested
/// namespace `variant`, of the safe default in `default_variant`; an int where the value is a plain
/// number, else a std::string_view. `name` is made an identifier.
std::string tuned_header(const TunedConfig& config, std::string_view name);

}  // namespace rooftune
