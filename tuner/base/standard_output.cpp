#include "tuner/base/standard_output.h"

#include <iostream>

#include "kernels/runtime/error.h"
#include "tuner/base/fit_lines.h"
#include "tuner/base/page_width.h"

namespace rooftune {

void print(const std::string& text) {
    std::cout << text << std::flush;
    if (!std::cout) throw EnvironmentError("standard output could not be written");
}

void print_page(const std::string& text) {
    print(fit_page(text, page_width()));
}

}  // namespace rooftune
