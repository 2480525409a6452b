// The tuned set as a C++ header, for programs that choose a variant while they run.
#pragma once

#include <string>
#include <string_view>

#include "tuner/formats/tuned_set.h"

namespace rooftune {

/// The header's text, C++17 and alone compilable: namespace rooftune_tuned::NAME with a namespace for each
/// group (family, element type, backend, state), which holds its problems as a table and `nearest`, the rule
/// of the set: features in, a place in the table out, or -1 for the default variant. `name` is made an
/// identifier.
std::string tuned_set_header(const TunedSet& set, std::string_view name);

}  // namespace rooftune
