#include "kernels/probe/window.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace rooftune::probe {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Window time_repetitions(Team& team, const Work& work, std::int64_t repetitions) {
    if (work.threads > 1) team.wake();  // a parked worker would add its wake-up to the window
    const double start = now();
    team.run(work.threads, [&](int thread) { work.run(thread, repetitions); });
    Window window;
    window.seconds = std::max(now() - start, 1e-9);
    window.repetitions = repetitions;
    window.rate = work.amount * static_cast<double>(repetitions) / window.seconds;
    return window;
}

std::int64_t repetitions_for(const Window& last, double target) {
    const double wanted = static_cast<double>(last.repetitions) * target / last.seconds;
    const double limit = 1000.0 * static_cast<double>(last.repetitions);
    return std::max<std::int64_t>(1, std::llround(std::min(wanted, limit)));
}

Window run_window(Team& team, const Work& work, double target, std::int64_t guess) {
    Window window = time_repetitions(team, work, std::max<std::int64_t>(1, guess));
    // 0.7: a window that is nearly long enough is as good, and a guess from an earlier window on a
    // clock that varies would otherwise be run twice every other time.
    while (window.seconds < 0.7 * target) {
        const std::int64_t next = repetitions_for(window, target);
        window = time_repetitions(team, work, std::max(next, window.repetitions + 1));
    }
    return window;
}

}  // namespace rooftune::probe
