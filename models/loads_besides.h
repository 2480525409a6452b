// What a core loads from its first-level cache while lines come from beyond it.
#pragma once

#include <compare>

namespace rooftune {

/// Loads from the first-level cache for each line of 64 bytes that a walk reads, besides those of the line.
struct LoadsBesides {
    int vectors = 0;   ///< whole vectors
    int crossing = 0;  ///< of the vectors, those that straddle two lines
    int scalars = 0;   ///< loads of 64 bits
    int gathered = 0;  ///< f64 elements by gather instructions

    auto operator<=>(const LoadsBesides&) const = default;
    /// Whether each is as many as the other's, or more.
    bool cover(const LoadsBesides& other) const {
        return vectors >= other.vectors && crossing >= other.crossing && scalars >= other.scalars &&
               gathered >= other.gathered;
    }
};

}  // namespace rooftune
