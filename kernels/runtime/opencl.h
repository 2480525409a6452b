// OpenCL devices of this machine: which there are, and which one a user means. Everything that runs on one is
// in opencl_context.h.
#pragma once

#include <string>
#include <vector>

#include "models/machine.h"

namespace rooftune {

/// Every OpenCL device of every platform, in the platforms' order; empty, never an error, when there is
/// no platform, no device, or no working loader. A CPU device gets as many compute units as `cpus` (indices
/// of processing units, as in Team) and its threads may run on exactly these. Platforms are set up once a
/// process, by threads of their own: the first call's `cpus` decide, later calls return the same list.
/// Sets POCL_MAX_PTHREAD_COUNT and, where PoCL could not write its cache, POCL_CACHE_DIR, unless they are
/// set.
std::vector<Device> opencl_devices(const std::vector<int>& cpus);

/// The device that a user means: by position in the list ("0"), by id, or by a part of its name or platform
/// that only one has (letter case ignored); the only one, or else the first, when `text` is empty. Throws
/// InputError that lists the devices when none or several fit, EnvironmentError when there are none at all.
Device pick_device(const std::vector<Device>& devices, const std::string& text);

}  // namespace rooftune
