// Elements of every type that arrays may have, as doubles.
#pragma once

#include <cstdint>
#include <cstring>

#include "tuner/external/declaration.h"

namespace rooftune::external {

/// IEEE half precision, in bits, as a number.
double half_to_double(std::uint16_t bits);
/// The nearest half, ties to even; beyond its range infinite.
std::uint16_t half_from_double(double value);
/// The nearest bfloat16, ties to even.
std::uint16_t bfloat_from_double(double value);

/// Element `i` of an array. Whole numbers beyond 2^53 are rounded, by what rest_of_element() tells.
double load_element(Element type, const std::byte* array, std::size_t i);
/// What it is more than load_element() says; 0 but for whole numbers beyond 2^53.
double rest_of_element(Element type, const std::byte* array, std::size_t i);
/// Rounded to what the type holds; whole numbers toward 0 and within its range.
void store_element(Element type, std::byte* array, std::size_t i, double value);

/// Half the distance between 1 and the next number of the type; 0 for whole numbers.
double unit_roundoff(Element type);

}  // namespace rooftune::external
