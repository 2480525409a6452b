#include "tuner/search/on_average.h"

#include <algorithm>
#include <cmath>

#include "tuner/measure/statistics.h"

namespace rooftune {

double ratio_on_average(std::span<const Slot> variant, std::span<const Slot> other,
                        std::span<const std::size_t> ends) {
    double sum = 0.0;
    int processes = 0;
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        const std::size_t last = std::min({end, variant.size(), other.size()});
        if (begin >= last) break;
        const double ratio =
            ratio_interval(variant.subspan(begin, last - begin), other.subspan(begin, last - begin)).median;
        if (is_time(ratio)) {
            sum += std::log(ratio);
            ++processes;
        }
        begin = last;
    }
    return processes > 0 ? std::exp(sum / processes) : 1.0;
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
