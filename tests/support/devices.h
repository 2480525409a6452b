// The OpenCL devices that tests may use.
#pragma once

#include <vector>

#include "kernels/runtime/opencl.h"
#include "tests/support/catch.h"
#include "tests/support/places.h"

namespace rooftune::test {

/// Those of this machine; where there are none the test says so, since it then tries nothing.
inline std::vector<Device> devices_or_warn() {
    std::vector<Device> devices = opencl_devices(two_cpus());
    if (devices.empty()) WARN("no OpenCL device here: nothing tried");
    return devices;
}

}  // namespace rooftune::test
