#include "tests/support/reader/numbers.h"

#include <algorithm>

namespace rooftune::test {
namespace {

bool digit(char c) {
    return c >= '0' && c <= '9';
}

bool letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace

std::vector<Span> numbers_in(const std::string& text) {
    std::vector<Span> out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!digit(text[i])) continue;
        std::size_t end = i;
        while (end < text.size() &&
               (digit(text[end]) || (text[end] == '.' && end + 1 < text.size() && digit(text[end + 1]))))
            ++end;
        if (i == 0 || !letter(text[i - 1])) out.push_back({i, end});
        i = end;
    }
    return out;
}

bool has_digit(const std::string& text) {
    return std::any_of(text.begin(), text.end(), digit);
}

bool stands_alone(const std::string& text, std::size_t from, std::size_t to) {
    // A point with a digit on its other side is part of a number.
    const auto number = [&](std::size_t at, std::size_t beyond) {
        return digit(text[at]) || (text[at] == '.' && beyond < text.size() && digit(text[beyond]));
    };
    const bool before = from > 0 && ((digit(text[from]) && number(from - 1, from - 2)) ||
                                     (letter(text[from]) && letter(text[from - 1])));
    const bool behind = to < text.size() && ((digit(text[to - 1]) && number(to, to + 1)) ||
                                             (letter(text[to - 1]) && letter(text[to])));
    return !before && !behind;
}

}  // namespace rooftune::test
