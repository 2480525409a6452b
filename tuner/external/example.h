// The kernel and the program that show how annotations are written.
#pragma once

#include <string>

namespace rooftune::external {

/// A C++ source with a comment for each annotation: what `rooftune new` writes.
std::string example_source();

/// The same for an OpenCL device.
std::string opencl_example_source();

/// The description of a program with a comment for each line: the same for a name that ends in .rooftune.
std::string example_description();

}  // namespace rooftune::external
