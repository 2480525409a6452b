// What differs between when the arms of a comparison were tuned, or recorded, and now, in words.
#pragma once

#include <string>

#include "tuner/measure/comparison.h"

namespace rooftune {

/// "Nothing differs from when they were tuned (machine, compiler, …)", or what does, and what was not
/// recorded then: sentences.
std::string environment_sentence(const track::EnvironmentDifference& difference);

/// Of a baseline that was recorded with another build of the kernels: that the comparison does not show what
/// differs between the two. Otherwise empty.
std::string rebuilt_sentence(const track::EnvironmentDifference& difference);

/// What was not recorded then, and is not compared; empty where everything was.
std::string not_recorded_sentence(const track::EnvironmentDifference& difference);

/// The same as environment_sentence() with a table of then and now, where something differs; otherwise one
/// line. Without not_recorded_sentence() where `rest_is_told`, of a comparison before.
std::string environment_text(const track::EnvironmentDifference& difference, bool rest_is_told = false);

}  // namespace rooftune
