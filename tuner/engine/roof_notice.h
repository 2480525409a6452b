// What a tune says of roofs of arithmetic that could not be probed undisturbed.
#pragma once

#include <string>

#include "kernels/contract/family.h"
#include "models/machine.h"

namespace rooftune {

/// A sentence for the user where the peak of the target's threads or compute units is not saturated: that it
/// counts as so many times that of one, or which arithmetic is bounded without it, what that means for the
/// shares that are told, and what to do. Empty where the peak is known, where nothing was probed, and of a
/// problem without arithmetic. `machine` as the target meets it (machine_of); `least` is the work of the
/// empty partial variant, and `narrowest_bits` of its traits.
std::string roof_notice(const Machine& machine, const Target& target, DType dtype, const Work& least,
                        int narrowest_bits);

}  // namespace rooftune
