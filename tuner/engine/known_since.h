// What became known of a machine after a result was found on it.
#pragma once

#include <string>

#include "models/machine.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

/// Where the ceiling behind the winner's bound, or behind the problem's roof, is known to be higher by now
/// than the certificate's margin allows for: by how much, and that tuning again takes it. Empty where nothing
/// is, and where this is not the machine that the result was bounded by, as far as the result tells.
std::string known_since(const TuneResult& result, const Machine& machine);

}  // namespace rooftune
