// What A, B and C hold for a seed: each element depends on its place only, so that any thread, a
// device's host and the oracle can make any part of it.
#pragma once

#include <cstdint>

namespace rooftune::matmul {

enum class Operand { a, b, c };

/// Element `index` (in storage order) of an operand: ±[1/2, 1), so that neither a sign nor an entry can
/// hide. f32 problems round it.
inline double input_element(std::uint64_t seed, Operand operand, std::int64_t index) {
    // SplitMix64 (Steele, Lea and Flood 2014) of the three.
    std::uint64_t z = seed * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(index) * 0xD1342543DE82EF95U +
                      (static_cast<std::uint64_t>(operand) + 1U) * 0x632BE59BD9B4E019U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    z ^= z >> 31;
    const double magnitude = 0.5 + 0.5 * static_cast<double>(z >> 12) * 0x1p-52;
    return (z & 1U) != 0 ? -magnitude : magnitude;
}

/// Elements begin … end−1 of the whole operand at `data`.
template <typename T>
void fill_slice(T* data, Operand operand, std::uint64_t seed, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) data[i] = static_cast<T>(input_element(seed, operand, i));
}

}  // namespace rooftune::matmul
