#include "tuner/measure/order_interval.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tuner/measure/statistics.h"

namespace rooftune::track {
namespace {

constexpr double kCorrelated = 0.3;

// The last look that so many values reach; null before the first.
const Look* look_at(std::size_t values) {
    const Look* reached = nullptr;
    for (const Look& look : kLooks) {
        if (static_cast<std::size_t>(look.rounds) <= values) reached = &look;
    }
    return reached;
}

std::vector<double> means_of_pairs(std::span<const double> values) {
    std::vector<double> means;
    for (std::size_t i = 0; i + 1 < values.size(); i += 2) means.push_back(0.5 * (values[i] + values[i + 1]));
    return means;
}

}  // namespace

double miscoverage(const Look& look) {
    double ways = 1.0;  // n over i
    double sum = 0.0;
    for (int i = 0; i < look.rank; ++i) {
        sum += ways;
        ways *= static_cast<double>(look.rounds - i) / (i + 1);
    }
    return 2.0 * sum * std::pow(0.5, look.rounds);
}

bool is_look(int rounds) {
    return std::any_of(kLooks.begin(), kLooks.end(), [&](const Look& look) { return look.rounds == rounds; });
}

double lag_one(std::span<const double> values) {
    if (values.size() < 3) return 0.0;
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    double own = 0.0;
    double next = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        own += (values[i] - mean) * (values[i] - mean);
        if (i + 1 < values.size()) next += (values[i] - mean) * (values[i + 1] - mean);
    }
    // Equal values differ from their mean by rounding, and that hangs together in any way.
    constexpr double kRounding = 1e-12;
    return own > kRounding * kRounding * static_cast<double>(values.size()) ? next / own : 0.0;
}

Estimate interval_at(const Look& look, std::span<const double> logs) {
    std::vector<double> sorted(logs.begin(), logs.end());
    std::sort(sorted.begin(), sorted.end());
    Estimate e;
    e.median = median(sorted);
    e.low = sorted.at(static_cast<std::size_t>(look.rank - 1));
    e.high = sorted.at(static_cast<std::size_t>(look.rounds - look.rank));
    e.rounds = look.rounds;
    return e;
}

std::optional<Estimate> estimate(std::span<const double> logs) {
    const Look* look = look_at(logs.size());
    if (!look) return std::nullopt;
    const std::span<const double> used = logs.first(static_cast<std::size_t>(look->rounds));
    const double correlation = lag_one(used);
    const bool paired = std::fabs(correlation) > kCorrelated;
    const std::vector<double> pairs = paired ? means_of_pairs(used) : std::vector<double>{};
    if (paired) look = look_at(pairs.size());
    if (!look) return std::nullopt;
    Estimate result = interval_at(*look, paired ? std::span<const double>(pairs) : used);
    result.autocorrelation = correlation;
    result.paired = paired;
    result.rounds = static_cast<int>(used.size());
    return result;
}

}  // namespace rooftune::track
