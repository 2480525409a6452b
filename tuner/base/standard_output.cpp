#include "tuner/base/standard_output.h"

#include <cerrno>
#include <iostream>

#include "kernels/runtime/error.h"
#include "tuner/base/fit_lines.h"
#include "tuner/base/page_width.h"

namespace rooftune {

void print(const std::string& text) {
    static bool reader_gone = false;
    if (reader_gone) return;
    errno = 0;
    std::cout << text << std::flush;
    if (std::cout) return;
    // `| head` has read what it wanted: no fault of anybody, and files are still to be written.
    reader_gone = errno == EPIPE;
    if (!reader_gone) throw EnvironmentError("standard output could not be written");
}

void print_page(const std::string& text) {
    print(fit_page(text, page_width()));
}

}  // namespace rooftune
