// The numbers of a text: runs of digits with the points in them. What a letter precedes is a name (f64, L2,
// x86).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rooftune::test {

struct Span {
    std::size_t from = 0, to = 0;
};

std::vector<Span> numbers_in(const std::string& text);

bool has_digit(const std::string& text);

/// Whether what stands from `from` to `to` is no part of a longer number or word.
bool stands_alone(const std::string& text, std::size_t from, std::size_t to);

}  // namespace rooftune::test
