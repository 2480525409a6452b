// The command that tunes a problem again, as a user would type it.
#pragma once

#include <string>

#include "tuner/verify/claim.h"

namespace rooftune::verify {

/// "rooftune tune spmv --matrix my.mtx dtype=f64 --threads 2 --out tuned". Words that a shell would take
/// apart are quoted.
std::string tune_again_command(const Claim& claim);

}  // namespace rooftune::verify
