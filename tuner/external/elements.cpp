#include "tuner/external/elements.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace rooftune::external {
namespace {

template <typename T>
T at(const std::byte* array, std::size_t i) {
    T value;
    std::memcpy(&value, array + i * sizeof value, sizeof value);
    return value;
}

template <typename T>
void put(std::byte* array, std::size_t i, T value) {
    std::memcpy(array + i * sizeof value, &value, sizeof value);
}

template <typename T>
T within(double value) {
    // The largest of 64 bits is no double: the next one is beyond it.
    constexpr double kMost = static_cast<double>(std::numeric_limits<T>::max());
    constexpr double kLeast = static_cast<double>(std::numeric_limits<T>::min());
    if (!(value > kLeast)) return std::numeric_limits<T>::min();
    if (value >= kMost) return std::numeric_limits<T>::max();
    return static_cast<T>(value);
}

}  // namespace

double half_to_double(std::uint16_t bits) {
    const int exponent = (bits >> 10) & 0x1F;
    const int fraction = bits & 0x3FF;
    const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
    if (exponent == 0x1F)
        return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                             : sign * std::numeric_limits<double>::infinity();
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(1024 + fraction, exponent - 25);
}

std::uint16_t half_from_double(double value) {
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double size = std::fabs(value);
    if (std::isnan(value)) return 0x7E00;
    if (size >= 65520.0) return sign | 0x7C00;
    int exponent = 0;
    std::frexp(size, &exponent);
    // Of a normal number 11 bits are kept, of a smaller one as many as are left above 2^-24.
    const int last = std::max(exponent - 11, -24);
    const double kept = std::nearbyint(std::ldexp(size, -last));  // to even, by the default mode
    if (kept == 0.0) return sign;
    // Rounding may have carried into the next power of two: the bits carry with it.
    const auto whole = static_cast<std::uint32_t>(kept);
    const std::uint32_t bits =
        last == -24 ? whole : whole - 1024u + (static_cast<std::uint32_t>(last + 25) << 10);
    return static_cast<std::uint16_t>(sign | bits);
}

std::uint16_t bfloat_from_double(double value) {
    if (std::isnan(value)) return 0x7FC0;
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    return static_cast<std::uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

double load_element(Element type, const std::byte* array, std::size_t i) {
    switch (type) {
        case Element::f64:
            return at<double>(array, i);
        case Element::f32:
            return at<float>(array, i);
        case Element::f16:
            return half_to_double(at<std::uint16_t>(array, i));
        case Element::bf16:
            return std::bit_cast<float>(static_cast<std::uint32_t>(at<std::uint16_t>(array, i)) << 16);
        case Element::i64:
            return static_cast<double>(at<std::int64_t>(array, i));
        case Element::i32:
            return at<std::int32_t>(array, i);
        case Element::i16:
            return at<std::int16_t>(array, i);
        case Element::i8:
            return at<std::int8_t>(array, i);
        case Element::u64:
            return static_cast<double>(at<std::uint64_t>(array, i));
        case Element::u32:
            return at<std::uint32_t>(array, i);
        case Element::u16:
            return at<std::uint16_t>(array, i);
        case Element::u8:
            return at<std::uint8_t>(array, i);
    }
    return 0.0;
}

double rest_of_element(Element type, const std::byte* array, std::size_t i) {
    if (type != Element::i64 && type != Element::u64) return 0.0;
    // Modulo 2^64, in which the difference is small, also where the double is 2^64.
    const double rounded = load_element(type, array, i);
    const std::uint64_t near = rounded >= 0x1p64 ? 0
                               : rounded < 0.0
                                   ? static_cast<std::uint64_t>(static_cast<std::int64_t>(rounded))
                                   : static_cast<std::uint64_t>(rounded);
    return static_cast<double>(static_cast<std::int64_t>(at<std::uint64_t>(array, i) - near));
}

void store_element(Element type, std::byte* array, std::size_t i, double value) {
    switch (type) {
        case Element::f64:
            return put(array, i, value);
        case Element::f32:
            return put(array, i, static_cast<float>(value));
        case Element::f16:
            return put(array, i, half_from_double(value));
        case Element::bf16:
            return put(array, i, bfloat_from_double(value));
        case Element::i64:
            return put(array, i, within<std::int64_t>(value));
        case Element::i32:
            return put(array, i, within<std::int32_t>(value));
        case Element::i16:
            return put(array, i, within<std::int16_t>(value));
        case Element::i8:
            return put(array, i, within<std::int8_t>(value));
        case Element::u64:
            return put(array, i, within<std::uint64_t>(value));
        case Element::u32:
            return put(array, i, within<std::uint32_t>(value));
        case Element::u16:
            return put(array, i, within<std::uint16_t>(value));
        case Element::u8:
            return put(array, i, within<std::uint8_t>(value));
    }
}

double unit_roundoff(Element type) {
    switch (type) {
        case Element::f64:
            return 0x1p-53;
        case Element::f32:
            return 0x1p-24;
        case Element::f16:
            return 0x1p-11;
        case Element::bf16:
            return 0x1p-8;
        default:
            return 0.0;
    }
}

}  // namespace rooftune::external
