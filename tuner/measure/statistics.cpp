#include "tuner/measure/statistics.h"

#include <algorithm>
#include <cmath>

namespace rooftune {
namespace {

// P(X <= k) for X ~ Binomial(n, p).
double binomial_cdf(int k, int n, double p) {
    double sum = 0.0;
    for (int i = 0; i <= k; ++i) {
        const double log_choose = std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0);
        const double log_p = (i > 0 ? i * std::log(p) : 0.0) + (n - i > 0 ? (n - i) * std::log1p(-p) : 0.0);
        sum += std::exp(log_choose + log_p);
    }
    return sum;
}

}  // namespace

bool is_time(double seconds) {
    return std::isfinite(seconds) && seconds > 0.0;
}

double median(std::span<const double> values) {
    if (values.empty()) return 0.0;
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const std::size_t half = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
}

Ranks median_ranks(int count, double confidence) {
    Ranks ranks{0, std::max(0, count - 1)};
    // [d_(k+1), d_(n-k)] misses the median with probability 2·P(X <= k), X ~ Binomial(n, 1/2).
    for (int k = 0; k < count / 2; ++k) {
        if (2.0 * binomial_cdf(k, count, 0.5) > 1.0 - confidence) break;
        ranks = {k, count - 1 - k};
    }
    return ranks;
}

TimeInterval interval_of_values(std::span<const double> values) {
    TimeInterval interval;
    if (values.empty()) return interval;
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const Ranks ranks = median_ranks(static_cast<int>(sorted.size()));
    interval.median = median(sorted);
    interval.low = sorted[static_cast<std::size_t>(ranks.low)];
    interval.high = sorted[static_cast<std::size_t>(ranks.high)];
    interval.min = sorted.front();
    interval.slots = static_cast<int>(sorted.size());
    return interval;
}

TimeInterval interval_of(std::span<const Slot> slots, int enough) {
    std::vector<double> clean;
    std::vector<double> all;
    for (const Slot& slot : slots) {
        all.push_back(slot.seconds);
        if (!slot.disturbed) clean.push_back(slot.seconds);
    }
    return interval_of_values(static_cast<int>(clean.size()) >= enough ? clean : all);
}

TimeInterval ratio_interval(std::span<const Slot> numerator, std::span<const Slot> denominator) {
    const std::size_t rounds = std::min(numerator.size(), denominator.size());
    std::vector<double> clean;
    std::vector<double> all;
    for (std::size_t r = 0; r < rounds; ++r) {
        const double ratio = numerator[r].seconds / denominator[r].seconds;
        all.push_back(ratio);
        if (!numerator[r].disturbed && !denominator[r].disturbed) clean.push_back(ratio);
    }
    return interval_of_values(clean.size() >= 6 ? clean : all);
}

bool is_off_the_medians(double ratio, double numerator_median, double denominator_median) {
    constexpr double kTold = 0.01;
    if (!is_time(ratio) || !is_time(numerator_median) || !is_time(denominator_median)) return false;
    return std::abs(numerator_median / denominator_median / ratio - 1.0) > kTold;
}

double decisive_ratio(std::span<const Slot> numerator, std::span<const Slot> denominator) {
    constexpr std::size_t kEnough = 3, kShare = 8;
    std::vector<double> clean, all, own, other;
    for (std::size_t r = 0; r < std::min(numerator.size(), denominator.size()); ++r) {
        if (!is_time(numerator[r].seconds) || !is_time(denominator[r].seconds)) continue;
        all.push_back(numerator[r].seconds / denominator[r].seconds);
        own.push_back(numerator[r].seconds);
        other.push_back(denominator[r].seconds);
        if (!numerator[r].disturbed && !denominator[r].disturbed) clean.push_back(all.back());
    }
    if (all.empty()) return 1.0;
    if (clean.size() >= std::max(kEnough, all.size() / kShare)) return median(clean);
    std::sort(own.begin(), own.end());
    std::sort(other.begin(), other.end());
    const std::size_t second = std::min<std::size_t>(1, all.size() - 1);
    return std::max(median(all), own[second] / other[second]);
}

double upper_limit(int k, int n, double confidence) {
    if (n <= 0 || k >= n) return 1.0;
    const double risk = 1.0 - confidence;
    if (k == 0) return 1.0 - std::pow(risk, 1.0 / n);
    double low = static_cast<double>(k) / n;
    double high = 1.0;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (binomial_cdf(k, n, middle) > risk ? low : high) = middle;
    }
    return high;
}

}  // namespace rooftune
