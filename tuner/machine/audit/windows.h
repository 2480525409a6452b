// The fastest of several short windows. A ceiling is a maximum, so what is held against it is one too.
#pragma once

#include <cstdint>
#include <functional>

#include "tuner/machine/audit/case.h"

namespace rooftune::audit {

/// Runs `run(repetitions)` in windows of 4 ms or one repetition, whichever is longer (shorter ones would
/// hardly overlap on several threads), for about `seconds` and at least three windows after a warm-up. `now`
/// is a monotonic clock in seconds. The outcome is `measured`, with seconds of one repetition in the fastest.
Measurement fastest_window(const std::function<void(std::int64_t repetitions)>& run, double seconds,
                           const std::function<double()>& now);

/// The same by the system's clock.
Measurement fastest_window(const std::function<void(std::int64_t repetitions)>& run, double seconds);

}  // namespace rooftune::audit
