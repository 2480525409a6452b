#include "tuner/base/standard_output.h"

#include <iostream>

#include "kernels/runtime/error.h"

namespace rooftune {

void print(const std::string& text) {
    std::cout << text << std::flush;
    if (!std::cout) throw EnvironmentError("standard output could not be written");
}

}  // namespace rooftune
