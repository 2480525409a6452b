// Keys of a family's problem that `tune` takes and of which the least work knows nothing: the same problem in
// the same words can be bounded.
#pragma once

#include <string>

#include "kernels/registry.h"
#include "models/workload.h"

namespace rooftune {

/// Takes those keys out of `spec` and returns them, empty where there are none. Throws InputError of the
/// family where it takes no such value.
ProblemSpec take_idle_keys(const Registry& registry, const std::string& family, WorkloadSpec& spec);

/// What they mean for the bound, as a sentence without a full stop; empty for none.
std::string idle_keys_text(const ProblemSpec& idle);

}  // namespace rooftune
