#include "tuner/base/digits.h"

#include <algorithm>

namespace rooftune {

std::size_t past_digits(std::string_view text, std::size_t at) {
    while (at < text.size() && is_digit(text[at])) ++at;
    return at;
}

bool has_form(std::string_view text, std::string_view form) {
    return std::equal(text.begin(), text.end(), form.begin(), form.end(), [](char c, char wanted) {
        if (wanted == '0') return is_digit(c);
        if (wanted == 'A') return c >= 'A' && c <= 'Z';
        if (wanted == 'a') return c >= 'a' && c <= 'z';
        return c == wanted;
    });
}

}  // namespace rooftune
