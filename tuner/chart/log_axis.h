// A logarithmic axis: from values to pixels, and where its ticks stand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rooftune {

struct Tick {
    double value = 0.0;
    std::string label;  ///< empty for a minor tick
};

class LogAxis {
public:
    /// Maps [low, high] (0 < low < high, finite) to [pixel_low, pixel_high]; either may be larger.
    LogAxis(double low, double high, double pixel_low, double pixel_high);

    double low() const { return low_; }
    double high() const { return high_; }

    /// Pixel of a value; values beyond the ends land on the ends.
    double at(double value) const;
    /// The same without the ends: for slopes.
    double unclamped(double value) const;
    double pixels_per_decade() const;

    /// Labelled ticks at least `apart` pixels from each other: 1, 2 and 5 within few decades, whole
    /// decades or every n-th of them within many; minor ticks between where there is room. Labels
    /// carry SI prefixes where a unit is given ("10 Gflop/s"), else plain numbers ("0.1").
    std::vector<Tick> ticks(std::string_view unit, double apart) const;

private:
    double low_, high_, pixel_low_, pixel_high_;
};

}  // namespace rooftune
