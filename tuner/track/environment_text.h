// What differs between when the arms of a comparison were tuned and now, in words.
#pragma once

#include <string>

#include "tuner/measure/comparison.h"

namespace rooftune {

/// "Nothing differs from when they were tuned (machine, compiler, …)", or what does, and what was not
/// recorded then: sentences.
std::string environment_sentence(const track::EnvironmentDifference& difference);

/// The same with a table of then and now, where something differs; otherwise one line.
std::string environment_text(const track::EnvironmentDifference& difference);

}  // namespace rooftune
