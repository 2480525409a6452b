// Which build of the kernels this is: results of another build are not resumed from.
#pragma once

#include <string>

namespace rooftune {

/// Hash over the sources of kernels/, the compiler and its flags; computed when it is built.
std::string kernels_build();

/// "GNU 12.2.0".
std::string compiler_name();

}  // namespace rooftune
