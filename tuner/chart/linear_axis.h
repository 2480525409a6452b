// A linear axis: from values to pixels, and round values for its ticks.
#pragma once

#include <vector>

namespace rooftune {

class LinearAxis {
public:
    /// Maps [low, high] (finite, low <= high) to [pixel_low, pixel_high]; either may be larger. An empty
    /// range has one pixel, pixel_low.
    LinearAxis(double low, double high, double pixel_low, double pixel_high);

    double low() const { return low_; }
    double high() const { return high_; }

    /// Pixel of a value; values beyond the ends land on the ends.
    double at(double value) const;
    /// The same without the ends: for curves that are cut where they leave.
    double unclamped(double value) const;

private:
    double low_, high_, pixel_low_, pixel_high_;
};

/// Values 0, step, 2·step, … up to `most`, in steps of 1, 2 or 5 times a power of ten, at most `count` of
/// them beside 0. Only 0 where `most` is not positive and finite.
std::vector<double> round_ticks(double most, int count);

}  // namespace rooftune
