// Blank-separated fields of a line and their numbers, by the rules of the Matrix Market format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rooftune::sparse {

inline bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/// Fields between blanks (spaces and tabs).
std::vector<std::string_view> fields_of(std::string_view line);

/// True for lines that the format lets a reader skip: blank ones and comments.
bool is_skippable(std::string_view line);

enum class NumberFault { none, not_a_number, not_finite, out_of_range };

/// A decimal integer that fits 64 bits, a sign allowed; the whole field.
NumberFault parse_integer(std::string_view field, std::int64_t& value);

/// A decimal number with an optional exponent (E or e), a sign allowed; the whole field. Numbers too
/// small for a double become the nearest one (a denormal or zero); too large ones are out_of_range.
NumberFault parse_real(std::string_view field, double& value);

/// The field in quotes for a message: shortened, unprintable bytes replaced.
std::string quoted(std::string_view field);

}  // namespace rooftune::sparse
