// Variants that helpers measured while the search was at another one.
#pragma once

#include "tuner/search/run_state.h"

namespace rooftune {

/// Takes what is there as if the search had chosen it; whether that was anything. In turn with an incumbent
/// that is none any more a time says nothing of the machine's pace: such a variant stays open. `evaluations`:
/// the search may have so many, 0: any number.
bool take_measured_ahead(RunState& run, int evaluations);

}  // namespace rooftune
