// From a variant of an OpenCL kernel to what is built and launched.
#pragma once

#include <vector>

#include "kernels/runtime/opencl_context.h"
#include "tuner/external/instance.h"
#include "tuner/external/opencl_call.h"

namespace rooftune::external {

struct OpenclLaunch {
    opencl::Kernel kernel;
    opencl::Range range;
};

/// Builds the declared call of a variant and sets its arguments; buffers by array. Throws VariantError
/// (build) with the device's log where it does not compile, or its arguments are others than the call gives;
/// (resources) for local memory or work items that the device has not.
OpenclLaunch opencl_launch(opencl::Context& context, const Instance& instance, const Space& space,
                           const Variant& variant, const std::vector<opencl::Buffer>& buffers);

/// The same of the reference, with the macros of `first`; of the call itself where none is declared.
OpenclLaunch opencl_reference(opencl::Context& context, const Instance& instance, const Space& space,
                              const Variant& first, const std::vector<opencl::Buffer>& buffers);

}  // namespace rooftune::external
