// Kinds of characters in what programs print.
#pragma once

namespace rooftune::external {

inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
/// Letters, _, and bytes of letters beyond ASCII, like that of µ.
inline bool is_of_a_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<signed char>(c) < 0;
}
inline bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace rooftune::external
