#include "tuner/base/standard_output.h"

#include <cerrno>
#include <iostream>
#include <utility>

#include "kernels/runtime/error.h"
#include "tuner/base/fit_lines.h"
#include "tuner/base/page_width.h"
#include "tuner/base/text_width.h"

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

PrintedStream::Buffer::int_type PrintedStream::Buffer::overflow(int_type c) {
    constexpr std::size_t kMany = 1 << 16;
    if (!traits_type::eq_int_type(c, traits_type::eof())) waiting_ += traits_type::to_char_type(c);
    if (waiting_.size() >= kMany) sync();
    return traits_type::not_eof(c);
}

int PrintedStream::Buffer::sync() {
    const std::string now = std::exchange(waiting_, {});
    if (!now.empty()) print(now);
    return 0;
}

void print_page(const std::string& text) {
    // Names of files and of what is in them must not act on the terminal, whichever page they come to.
    print(fit_page(printable_lines(text), page_width()));
}

}  // namespace rooftune
