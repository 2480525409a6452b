// What an OpenCL device can do, as text.
#pragma once

#include <string>

#include "models/machine.h"

namespace rooftune {

/// Peak by vector width, bandwidth by footprint, local memory, launches and transfers, as measured on the
/// device itself. Says so when nothing was measured yet.
std::string device_summary(const Machine& machine, const Device& device);

/// The same as a page of its own, without the tables of the processors, and where those are shown: who asks
/// for the device of a machine that is known already has seen them.
std::string device_page(const Machine& machine, const Device& device);

}  // namespace rooftune
