// The element of an answer that is furthest from what was expected.
#pragma once

#include <cmath>
#include <cstddef>

#include "kernels/contract/family.h"

namespace rooftune::stencil {

/// Looks at elements one after the other, all against one absolute tolerance. Most of a large answer is
/// nearer than what was seen before, and costs a subtraction and a comparison.
class Furthest {
public:
    explicit Furthest(double tolerance) : tolerance_(tolerance) {}

    void look(double value, double expected, std::size_t index) {
        const double difference = value < expected ? expected - value : value - expected;
        // Nothing is further than what is no number. (Kept as the distance to beat, it would let every later
        // element pass: no comparison with it is true.)
        if (difference <= most_ || no_number_) return;
        no_number_ = std::isnan(difference);
        most_ = difference;
        worst_ = {error_of(value, expected, tolerance_), index, expected, tolerance_, value};
    }

    const Worst& worst() const { return worst_; }

private:
    double tolerance_;
    double most_ = -1.0;
    bool no_number_ = false;
    Worst worst_;
};

}  // namespace rooftune::stencil
