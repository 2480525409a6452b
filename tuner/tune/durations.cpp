#include "tuner/tune/durations.h"

#include <cmath>

namespace rooftune {

std::vector<Duration> durations_of(const TuneResult& r) {
    constexpr double kWorthTelling = 1.0;
    std::vector<Duration> all;
    if (r.elapsed_seconds > 0.0) all.push_back({"", r.elapsed_seconds});
    const auto add = [&](const char* words, double seconds) {
        if (seconds >= kWorthTelling && std::isfinite(seconds)) all.push_back({words, seconds});
    };
    add("before it to load and probe", r.setup_seconds);
    add("more waiting for others that measured", r.waited_seconds);
    return all;
}

}  // namespace rooftune
