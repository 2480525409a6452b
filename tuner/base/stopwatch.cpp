#include "tuner/base/stopwatch.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "tuner/base/clock.h"

namespace rooftune {
namespace {

long preemptions() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw;
}

// What each thread of this process waited for a processor that others had, by the scheduler's own clock, in
// seconds; nothing where the kernel keeps none.
Waits waits_of_threads() {
    Waits waits;
    std::error_code error;
    std::filesystem::directory_iterator thread("/proc/self/task", error);
    for (; !error && thread != std::filesystem::directory_iterator(); thread.increment(error)) {
        std::ifstream schedstat(thread->path() / "schedstat");
        double running = 0.0, waiting = 0.0;
        if (schedstat >> running >> waiting)
            waits[std::atol(thread->path().filename().c_str())] = 1e-9 * waiting;
    }
    return waits;
}

}  // namespace

double longest_wait(const Waits& before, const Waits& now) {
    double longest = 0.0;
    for (const auto& [thread, seconds] : now) {
        const auto then = before.find(thread);
        longest = std::max(longest, then == before.end() ? seconds : seconds - then->second);
    }
    return longest;
}

double stolen_seconds() {
    std::ifstream stat("/proc/stat");
    std::string label;
    stat >> label;
    double value = 0.0;
    for (int field = 0; field < 8; ++field) stat >> value;
    return stat ? value / static_cast<double>(sysconf(_SC_CLK_TCK)) : 0.0;
}

SystemStopwatch::SystemStopwatch() {
    // What the clock claims (1 ns) is not what it steps by.
    double smallest = 1.0;
    for (int i = 0; i < 64; ++i) {
        const double start = monotonic_seconds();
        double end = start;
        while (end <= start) end = monotonic_seconds();
        smallest = std::min(smallest, end - start);
    }
    resolution_ = smallest;
}

double SystemStopwatch::now() {
    return monotonic_seconds();
}

void SystemStopwatch::watch() {
    stolen_ = stolen_seconds();
    preempted_ = preemptions();
    waited_ = waits_of_threads();
    since_ = monotonic_seconds();
}

bool SystemStopwatch::disturbed() {
    // Over 1 % stolen, counted in ticks of 10 ms: a slot shorter than a second is disturbed by any
    // tick that falls into it.
    const double elapsed = monotonic_seconds() - since_;
    return crowded() || stolen_seconds() - stolen_ > 0.01 * elapsed;
}

bool SystemStopwatch::crowded() {
    // Preemption: more than one switch in 10 ms of running is somebody else's work; and so is a wait of over
    // 2 %, however few switches it took: beside a process that took one of two processors, products on two
    // threads were two and a half times as long for 75 ms, in five switches. Of one thread: what many wait
    // together grows with their number, and each loses no more for it.
    const double elapsed = monotonic_seconds() - since_;
    const double waited = longest_wait(waited_, waits_of_threads());
    const auto switches = static_cast<double>(preemptions() - preempted_);
    return waited > 0.02 * elapsed || switches > std::max(2.0, elapsed / 0.01);
}

}  // namespace rooftune
