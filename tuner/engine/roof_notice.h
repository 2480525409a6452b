// What a tune says of roofs that could not be probed undisturbed.
#pragma once

#include <string>

#include "models/machine.h"

namespace rooftune {

/// A sentence for the user where the peak of these threads is not saturated: that it counts as so many times
/// that of one thread, or that there is no roof of arithmetic at all. Empty where it is, and where nothing
/// was probed.
std::string roof_notice(const Machine& machine, DType dtype, int width_bits, int threads);

}  // namespace rooftune
