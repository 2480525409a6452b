// Texts of a fixed form, read character by character: no locale has a say, and a long line needs no stack.
#pragma once

#include <algorithm>
#include <string_view>

namespace rooftune {

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Where the digits end that begin at `at`; `at` itself where there are none.
constexpr std::size_t past_digits(std::string_view text, std::size_t at) {
    while (at < text.size() && is_digit(text[at])) ++at;
    return at;
}

/// Whether the text has a digit for each 0 of the form, a capital letter for each A, a small one for each a,
/// and the form's own character everywhere else.
constexpr bool has_form(std::string_view text, std::string_view form) {
    return std::equal(text.begin(), text.end(), form.begin(), form.end(), [](char c, char wanted) {
        const char last = wanted == '0' ? '9' : wanted == 'A' ? 'Z' : wanted == 'a' ? 'z' : wanted;
        return c >= wanted && c <= last;
    });
}

}  // namespace rooftune
