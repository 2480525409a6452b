// A variant on an OpenCL device in words.
#pragma once

#include <map>
#include <string>

namespace rooftune::matmul {

/// "8 rows of 2 vectors of 8 an item, 1x1 items a group, nothing in local memory"; empty for a variant of
/// another backend.
std::string opencl_phrase(const std::map<std::string, std::string>& variant);

}  // namespace rooftune::matmul
