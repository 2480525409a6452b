// Values of which every sum is exact in both types, whatever its order, so that answers must be equal.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

namespace rooftune::test {

/// From −4 to 4.
template <typename T>
std::vector<T> whole_numbers(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> values(count);
    for (T& v : values) v = static_cast<T>(static_cast<int>(random() % 9) - 4);
    return values;
}

}  // namespace rooftune::test
