#include "tuner/chart/log_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace rooftune {
namespace {

std::string tick_label(double value, std::string_view unit) {
    if (unit.empty()) {
        return value >= 9.99e-5 && value < 9.99e5 ? fmt::format("{:.6g}", value)
                                                  : fmt::format("{:.0e}", value);
    }
    constexpr std::array<std::string_view, 13> kPrefixes{"a", "f", "p", "n", "µ", "m", "",
                                                         "k", "M", "G", "T", "P", "E"};
    const int power = static_cast<int>(std::floor(std::log10(value) / 3.0 + 1e-9));
    if (power < -6 || power > 6) return fmt::format("{:.0e} {}", value, unit);
    return fmt::format("{:.3g} {}{}", value / std::pow(1000.0, power),
                       kPrefixes[static_cast<std::size_t>(power + 6)], unit);
}

}  // namespace

LogAxis::LogAxis(double low, double high, double pixel_low, double pixel_high)
    : low_(low), high_(high), pixel_low_(pixel_low), pixel_high_(pixel_high) {}

double LogAxis::unclamped(double value) const {
    const double share = (std::log10(value) - std::log10(low_)) / (std::log10(high_) - std::log10(low_));
    return pixel_low_ + share * (pixel_high_ - pixel_low_);
}

double LogAxis::at(double value) const {
    return unclamped(std::clamp(value, low_, high_));
}

double LogAxis::pixels_per_decade() const {
    return std::abs(pixel_high_ - pixel_low_) / (std::log10(high_) - std::log10(low_));
}

std::vector<Tick> LogAxis::ticks(std::string_view unit, double apart) const {
    const double decade = pixels_per_decade();
    // log10(5/2) is the narrowest gap of 1-2-5 after log10(2) = 0.30.
    const bool one_two_five = decade * 0.30 >= apart;
    const int every = one_two_five ? 1 : std::max(1, static_cast<int>(std::ceil(apart / decade)));
    const bool minor = decade >= 40.0;
    const int first = static_cast<int>(std::floor(std::log10(low_)));
    const int last = static_cast<int>(std::ceil(std::log10(high_)));
    std::vector<Tick> ticks;
    for (int power = first; power <= last; ++power) {
        for (int mantissa = 1; mantissa <= 9; ++mantissa) {
            const double value = mantissa * std::pow(10.0, power);
            if (value < low_ * (1.0 - 1e-9) || value > high_ * (1.0 + 1e-9)) continue;
            const bool whole = mantissa == 1 && power % every == 0;
            const bool between = one_two_five && (mantissa == 2 || mantissa == 5);
            if (whole || between) {
                ticks.push_back({value, tick_label(value, unit)});
            } else if ((minor && every == 1) || mantissa == 1) {
                ticks.push_back({value, ""});
            }
        }
    }
    return ticks;
}

}  // namespace rooftune
