// Keys of a family's problem that `tune` takes and of which the least work knows nothing: the same problem in
// the same words can be bounded.
#pragma once

#include <string>

#include "kernels/registry.h"
#include "models/workload.h"

namespace rooftune {

struct IdleKeys {
    WorkloadSpec taken{};
    std::string text{};  ///< what they mean for the bound, a sentence without its full stop; empty for none
};

/// Takes the keys out of `spec` that the family names as such (Family::idle_keys). Throws InputError of the
/// family where it takes no such value.
IdleKeys take_idle_keys(const Registry& registry, const std::string& family, WorkloadSpec& spec);

}  // namespace rooftune
