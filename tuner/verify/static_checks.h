// The questions that need no measuring: machine, build, problem, variant.
#pragma once

#include <vector>

#include "tuner/verify/check.h"
#include "tuner/verify/claim.h"
#include "tuner/verify/environment.h"

namespace rooftune::verify {

/// Those of the hard and the performance key alone, which decide whether anything further makes sense.
std::vector<Check> key_checks(const Claim& claim, const Environment& here);

/// All of them, in order. What cannot be asked because an answer before is missing is not checked.
std::vector<Check> static_checks(const Claim& claim, const Environment& here);

/// Whether the winner can be run here at all, on the problem that it was tuned for.
bool may_measure(const std::vector<Check>& checks);

}  // namespace rooftune::verify
