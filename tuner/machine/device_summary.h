// What an OpenCL device can do, as text.
#pragma once

#include <string>

#include "models/machine.h"

namespace rooftune {

/// Peak by vector width, bandwidth by footprint, local memory, launches and transfers, as measured on the
/// device itself. Says so when nothing was measured yet.
std::string device_summary(const Machine& machine, const Device& device);

}  // namespace rooftune
