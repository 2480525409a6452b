// Numbers of processors in few words.
#pragma once

#include <string>
#include <vector>

namespace rooftune {

/// "0-3, 8, 10-11" of numbers in any order; empty for none.
std::string ranges_text(std::vector<int> numbers);

}  // namespace rooftune
