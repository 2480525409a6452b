#include "tuner/machine/audit/windows.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include "tuner/base/clock.h"

namespace rooftune::audit {

Measurement fastest_window(const std::function<void(std::int64_t repetitions)>& run, double seconds,
                           const std::function<double()>& now) {
    constexpr double kWindow = 4e-3;
    constexpr int kLeastWindows = 3;
    constexpr double kMostRepetitions = 1e12;
    const auto timed = [&](std::int64_t repetitions) {
        const double start = now();
        run(repetitions);
        return now() - start;
    };
    const double start = now();
    // A window's seconds, with as many repetitions as fill it: they grow from one, and again whenever a
    // window comes out short, because the first was disturbed or the clock rose since.
    std::int64_t repetitions = 1;
    const auto window = [&] {
        for (;;) {
            const double last = timed(repetitions);
            if (last >= 0.7 * kWindow) return last;
            const double wanted =
                static_cast<double>(repetitions) * std::min(1.2 * kWindow / std::max(last, 1e-9), 100.0);
            repetitions =
                std::max(repetitions + 1, static_cast<std::int64_t>(std::min(wanted, kMostRepetitions)));
        }
    };
    window();  // warm-up
    Measurement m;
    m.outcome = Outcome::measured;
    m.seconds = std::numeric_limits<double>::infinity();
    for (; m.windows < kLeastWindows || now() - start < seconds; ++m.windows) {
        const double taken = window();
        m.seconds = std::min(m.seconds, taken / static_cast<double>(repetitions));
    }
    return m;
}

Measurement fastest_window(const std::function<void(std::int64_t repetitions)>& run, double seconds) {
    return fastest_window(run, seconds, monotonic_seconds);
}

}  // namespace rooftune::audit
