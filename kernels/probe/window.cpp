#include "kernels/probe/window.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <vector>

namespace rooftune::probe {
namespace {

double thread_seconds() {
    std::timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Window time_repetitions(Team& team, const Work& work, std::int64_t repetitions) {
    if (work.threads > 1) team.wake();  // a parked worker would add its wake-up to the window
    struct alignas(64) OnProcessor {
        double seconds = 0.0;
    };
    std::vector<OnProcessor> spent(static_cast<std::size_t>(std::max(1, work.threads)));
    const double start = now();
    team.run(work.threads, [&](int thread) {
        const double begin = thread_seconds();
        work.run(thread, repetitions);
        spent[static_cast<std::size_t>(thread)].seconds = thread_seconds() - begin;
    });
    Window window;
    window.seconds = std::max(now() - start, 1e-9);
    for (const OnProcessor& thread : spent)
        window.busy = std::min(window.busy, thread.seconds / window.seconds);
    window.repetitions = repetitions;
    window.rate = work.amount * static_cast<double>(repetitions) / window.seconds;
    return window;
}

std::int64_t repetitions_for(const Window& last, double target) {
    const double on_processor = std::max(last.seconds * last.busy, 1e-9);
    const double wanted = static_cast<double>(last.repetitions) * target / on_processor;
    const double limit = 1000.0 * static_cast<double>(last.repetitions);
    return std::max<std::int64_t>(1, std::llround(std::min(wanted, limit)));
}

Window run_window(Team& team, const Work& work, double target, std::int64_t guess) {
    Window window = time_repetitions(team, work, std::max<std::int64_t>(1, guess));
    // 0.7: a window that is nearly long enough is as good, and a guess from an earlier window on a
    // clock that varies would otherwise be run twice every other time. CPU time, not wall-clock time: one
    // repetition during which another process ran is not a window.
    while (window.seconds * window.busy < 0.7 * target) {
        const std::int64_t next = repetitions_for(window, target);
        window = time_repetitions(team, work, std::max(next, window.repetitions + 1));
    }
    return window;
}

}  // namespace rooftune::probe
