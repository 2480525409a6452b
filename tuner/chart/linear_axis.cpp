#include "tuner/chart/linear_axis.h"

#include <algorithm>
#include <cmath>

namespace rooftune {

LinearAxis::LinearAxis(double low, double high, double pixel_low, double pixel_high)
    : low_(low), high_(high), pixel_low_(pixel_low), pixel_high_(pixel_high) {}

double LinearAxis::unclamped(double value) const {
    if (!(high_ > low_)) return pixel_low_;
    return pixel_low_ + (value - low_) / (high_ - low_) * (pixel_high_ - pixel_low_);
}

double LinearAxis::at(double value) const {
    return unclamped(std::clamp(value, low_, high_));
}

std::vector<double> round_ticks(double most, int count) {
    std::vector<double> ticks{0.0};
    if (!(most > 0.0) || !std::isfinite(most)) return ticks;
    const double least = most / std::max(1, count);
    const double decade = std::pow(10.0, std::floor(std::log10(least)));
    double step = 10.0 * decade;
    for (const double m : {5.0, 2.0, 1.0}) {
        if (m * decade >= least * (1.0 - 1e-9)) step = m * decade;
    }
    for (int i = 1; i * step <= most * (1.0 + 1e-9); ++i) ticks.push_back(i * step);
    return ticks;
}

}  // namespace rooftune
