#include "tuner/ladder/gain.h"

#include <algorithm>

#include "tuner/measure/statistics.h"

namespace rooftune::ladder {

std::optional<Gain> gain_of(std::span<const double> before, std::span<const double> after) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
        if (is_time(before[i]) && is_time(after[i])) ratios.push_back(before[i] / after[i]);
    }
    if (ratios.empty()) return std::nullopt;
    const TimeInterval interval = interval_of_values(ratios);
    return Gain{interval.median, interval.low, interval.high, static_cast<int>(ratios.size())};
}

Gain product_of(const std::vector<Gain>& gains) {
    Gain product;
    for (const Gain& gain : gains) {
        product.factor *= gain.factor;
        product.low *= gain.low;
        product.high *= gain.high;
        if (gain.rounds == 0) continue;
        product.rounds = product.rounds == 0 ? gain.rounds : std::min(product.rounds, gain.rounds);
    }
    return product;
}

bool agree(const Gain& a, const Gain& b) {
    constexpr double kRounding = 1e-9;
    return a.low <= b.high * (1.0 + kRounding) && b.low <= a.high * (1.0 + kRounding);
}

}  // namespace rooftune::ladder
