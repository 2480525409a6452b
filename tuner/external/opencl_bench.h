// Runs variants of an OpenCL source on a device.
#pragma once

#include <memory>

#include "kernels/contract/family.h"
#include "tuner/external/instance.h"

namespace rooftune::external {

/// All must outlive it. Throws EnvironmentError, when the first variant is prepared, where the device is not
/// here or its memory is too small.
std::unique_ptr<Bench> make_opencl_bench(const Instance& instance, const Space& space, const Target& target);

}  // namespace rooftune::external
