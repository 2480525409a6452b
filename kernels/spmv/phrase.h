// A variant of SpMV in a few words.
#pragma once

#include <map>
#include <string>

namespace rooftune::spmv {

/// "SELL-16-512 with 16-bit indices on 2 threads"; empty without a format.
std::string phrase(const std::map<std::string, std::string>& variant);

}  // namespace rooftune::spmv
