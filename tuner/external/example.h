// The kernel that shows how annotations are written.
#pragma once

#include <string>

namespace rooftune::external {

/// A C++ source with a comment for each annotation: what `rooftune new` writes.
std::string example_source();

/// The same for an OpenCL device.
std::string opencl_example_source();

}  // namespace rooftune::external
