// A variant in words.
#pragma once

#include <map>
#include <string>

namespace rooftune::matmul {

/// "14x16 tile of 512-bit vectors, kc 384, mc 168, nc 1024, A and B packed, threaded over m on 2 threads".
std::string phrase(const std::map<std::string, std::string>& variant);

}  // namespace rooftune::matmul
