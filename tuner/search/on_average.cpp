#include "tuner/search/on_average.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tuner/measure/statistics.h"

namespace rooftune {

namespace {

// Logs of the ratio in each process that has one.
std::vector<double> log_ratios(std::span<const Slot> variant, std::span<const Slot> other,
                               std::span<const std::size_t> ends) {
    std::vector<double> logs;
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        const std::size_t last = std::min({end, variant.size(), other.size()});
        if (begin >= last) break;
        const double ratio =
            ratio_interval(variant.subspan(begin, last - begin), other.subspan(begin, last - begin)).median;
        if (is_time(ratio)) logs.push_back(std::log(ratio));
        begin = last;
    }
    return logs;
}

double mean_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

double ratio_on_average(std::span<const Slot> variant, std::span<const Slot> other,
                        std::span<const std::size_t> ends) {
    const std::vector<double> logs = log_ratios(variant, other, ends);
    return logs.empty() ? 1.0 : std::exp(mean_of(logs));
}

bool may_be_faster(std::span<const Slot> variant, std::span<const Slot> other,
                   std::span<const std::size_t> ends, double by) {
    constexpr std::size_t kProcesses = 3;
    constexpr double kErrors = 2.0;
    const std::vector<double> logs = log_ratios(variant, other, ends);
    if (logs.size() < kProcesses) return false;
    const auto count = static_cast<double>(logs.size());
    const double mean = mean_of(logs);
    double squares = 0.0;
    for (const double log : logs) squares += (log - mean) * (log - mean);
    // Of few the spread itself is uncertain.
    const double errors = kErrors * (1.0 + 1.0 / (count - 1.0));
    return mean - errors * std::sqrt(squares / (count - 1.0) / count) < std::log(1.0 - by);
}

bool better_on_average(std::span<const Slot> variant, std::span<const Slot> other,
                       std::span<const std::size_t> ends) {
    constexpr std::size_t kProcesses = 3;
    constexpr double kTie = 1.02, kBetter = 0.97;
    if (ends.size() < kProcesses) return false;
    return decisive_ratio(variant, other) <= kTie && ratio_interval(variant, other).low <= 1.0 &&
           ratio_on_average(variant, other, ends) <= kBetter;
}

}  // namespace rooftune
