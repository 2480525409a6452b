// Texts of a fixed form, read character by character: no locale has a say, and a long line needs no stack.
#pragma once

#include <string_view>

namespace rooftune {

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Where the digits end that begin at `at`; `at` itself where there are none.
std::size_t past_digits(std::string_view text, std::size_t at);

/// Whether the text is as long as the form, and has a digit for each 0 of it, a capital letter for each A, a
/// small one for each a, and the same character for every other.
bool has_form(std::string_view text, std::string_view form);

}  // namespace rooftune
