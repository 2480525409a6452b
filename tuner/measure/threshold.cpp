#include "tuner/measure/threshold.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace rooftune::track {

double delta_of_history(std::span<const double> differences) {
    std::vector<double> sorted;
    for (const double d : differences) {
        if (std::isfinite(d) && d >= 0.0) sorted.push_back(d);
    }
    if (sorted.size() < static_cast<std::size_t>(kHistoryNeeded)) return kFirstDelta;
    std::sort(sorted.begin(), sorted.end());
    // Nearest rank: the least value that 99 % of them do not exceed.
    const std::size_t rank = (99 * sorted.size() + 99) / 100;
    return std::max(kLeastDelta, sorted[rank - 1]);
}

double delta_of_clock(double delta, double step_seconds, double seconds) {
    if (!(step_seconds > 0.0) || !(seconds > 0.0)) return delta;
    return std::max(delta, 2.0 * step_seconds / seconds);
}

}  // namespace rooftune::track
