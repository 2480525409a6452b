// One short timed run of a probe. A ceiling is the maximum over many of them, so a window may be slow
// for any reason without harm; only a window that is too fast would be an error.
#pragma once

#include <cstdint>
#include <functional>

#include "kernels/runtime/team.h"

namespace rooftune::probe {

/// What all threads of a probe do together in one repetition, and how to do it.
struct Work {
    int threads = 1;
    double amount = 0.0;  ///< flops, bytes, elements, instructions or cycles in one repetition, all threads
    /// Runs `repetitions` repetitions of one thread's share.
    std::function<void(int thread, std::int64_t repetitions)> run;
};

struct Window {
    double rate = 0.0;     ///< amount per second
    double seconds = 0.0;  ///< wall-clock length
    /// Smallest share of the window that any of its threads had its processor, by its own CPU time:
    /// clearly below 1 when another process took the processor away.
    double busy = 1.0;
    std::int64_t repetitions = 0;
};

/// Seconds on CLOCK_MONOTONIC.
double now();

/// Times `repetitions` repetitions on the team, from before the first thread starts until after the
/// last one ends.
Window time_repetitions(Team& team, const Work& work, std::int64_t repetitions);

/// Whether a window was left alone. The bookkeeping of CPU time is coarser than 1 %.
inline bool undisturbed(const Window& window) {
    return window.busy > 0.97;
}

/// Repetitions that fill `target` seconds of CPU time, given what one window took: never fewer than one,
/// never more than 1000 times as many at a step, since a first short window says little.
std::int64_t repetitions_for(const Window& last, double target);

/// A window of about `target` seconds of CPU time or more, growing from `guess` repetitions (1 when nothing
/// is known). The windows that were too short are not returned.
Window run_window(Team& team, const Work& work, double target, std::int64_t guess = 1);

}  // namespace rooftune::probe
