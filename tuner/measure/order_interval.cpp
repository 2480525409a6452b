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
const Look* look_at(std::size_t values, std::span<const Look> looks) {
    const Look* reached = nullptr;
    for (const Look& look : looks) {
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

std::vector<Look> looks_for(int comparisons) {
    if (comparisons <= 1) return {kLooks.begin(), kLooks.end()};
    double together = 0.0;
    for (const Look& look : kLooks) together += miscoverage(look);
    constexpr std::array<int, 2> kRounds = {20, kMostRounds};
    const double share = together / (static_cast<double>(kRounds.size()) * comparisons);
    std::vector<Look> looks;
    for (const int rounds : kRounds) {
        Look look{rounds, 0};
        while (miscoverage({rounds, look.rank + 1}) <= share) ++look.rank;
        if (look.rank > 0) looks.push_back(look);
    }
    return looks;
}

bool is_look(int rounds, std::span<const Look> looks) {
    return std::any_of(looks.begin(), looks.end(), [&](const Look& look) { return look.rounds == rounds; });
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

std::optional<Estimate> estimate(std::span<const double> logs, std::span<const Look> looks) {
    const Look* look = look_at(logs.size(), looks);
    if (!look) return std::nullopt;
    const std::span<const double> used = logs.first(static_cast<std::size_t>(look->rounds));
    const double correlation = lag_one(used);
    const bool paired = std::fabs(correlation) > kCorrelated;
    const std::vector<double> pairs = paired ? means_of_pairs(used) : std::vector<double>{};
    if (paired) look = look_at(pairs.size(), looks);
    if (!look) return std::nullopt;
    Estimate result = interval_at(*look, paired ? std::span<const double>(pairs) : used);
    result.autocorrelation = correlation;
    result.paired = paired;
    result.rounds = static_cast<int>(used.size());
    return result;
}

}  // namespace rooftune::track
