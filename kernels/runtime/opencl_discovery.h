// The platforms' own handles behind opencl_devices().
#pragma once

#include <CL/cl.h>

#include <vector>

#include "models/machine.h"

namespace rooftune::opencl {

struct Found {
    Device device;
    cl_device_id handle;
};

/// Every device with its handle; set up once a process, as opencl_devices() says.
const std::vector<Found>& found_devices(const std::vector<int>& cpus);

}  // namespace rooftune::opencl
