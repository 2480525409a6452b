// A window on a device: as many repetitions as fill it, found by trying.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/probe/window.h"

namespace rooftune::probe {

/// How long a window is to be, and where to begin.
struct Aim {
    double seconds = 0.0;    ///< wanted; 0.7 of it is enough
    double rate_hint = 0.0;  ///< amount per second, where something like it was seen; otherwise 0
    double least = 1.0;      ///< repetitions
    double patience = 2.0;   ///< seconds by the host's clock after which a shorter window has to do
    bool fresh = false;      ///< the first run of a kernel builds it for its work-group: not to be timed
};

/// Repeats `once(repetitions)`, which runs that many in a row and returns seconds, with more and more
/// repetitions until they fill the window. `amount`: of what is counted, in one repetition. Each try has at
/// least one repetition more than the one before: two that take 0.6 of the window were once tried forever,
/// since 1.1 / 0.6 of one rounds down to one.
template <typename Once>
Window growing_window(double amount, const Aim& aim, Once&& once) {
    constexpr double kMost = 1 << 24;
    if (aim.fresh) once(static_cast<int>(aim.least));
    double wanted = aim.rate_hint > 0.0 ? 0.8 * aim.seconds * aim.rate_hint / amount : 1.0;
    const double start = now();
    for (;;) {
        const double repetitions = std::clamp(std::floor(wanted), aim.least, kMost);
        const double took = once(static_cast<int>(repetitions));
        if (took >= 0.7 * aim.seconds || repetitions >= kMost || now() - start > aim.patience) {
            Window w;
            w.seconds = took;
            w.repetitions = static_cast<std::int64_t>(repetitions);
            w.rate = took > 0.0 ? amount * repetitions / took : 0.0;
            return w;
        }
        const double times = took > 0.0 ? 1.1 * aim.seconds / took : 100.0;
        wanted = std::max(repetitions + 1.0, repetitions * std::clamp(times, 1.5, 100.0));
    }
}

}  // namespace rooftune::probe
