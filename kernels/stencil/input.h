// The input of a seed: the same for every layout and both element types.
#pragma once

#include <cstdint>

#include "kernels/stencil/grid.h"

namespace rooftune::stencil {

/// Element `i` of the input, in [−1, 1): 24 bits, so that a float holds it too. Two multiplications,
/// because hundreds of megabytes are filled before a variant can run.
inline double input_value(std::uint64_t seed, std::uint64_t i) {
    std::uint64_t h = (i + seed * 0x9E3779B97F4A7C15U) * 0xD1342543DE82EF95U;
    h = (h ^ (h >> 32)) * 0xBF58476D1CE4E5B9U;
    return static_cast<double>(static_cast<std::int32_t>(h >> 40) - (1 << 23)) * 0x1p-23;
}

/// Number of the element at (−1, y, z); those along x follow.
inline std::uint64_t input_number(const Grid& g, std::int64_t y, std::int64_t z) {
    return static_cast<std::uint64_t>(((z + 1) * (g.ny + 2) + y + 1) * (g.nx + 2));
}

}  // namespace rooftune::stencil
