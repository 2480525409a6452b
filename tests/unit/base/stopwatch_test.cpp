// What the clock of measurements takes for a disturbance.
#include "tuner/base/stopwatch.h"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "tests/support/catch.h"

using namespace rooftune;

namespace {

void stay_on(int cpu) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}

}  // namespace

TEST_CASE("stopwatch: a process that wants the same processor disturbs, however rarely they are switched") {
    if (!std::filesystem::exists("/proc/self/schedstat")) {
        WARN("skipped: this kernel does not say how long threads wait (CONFIG_SCHED_INFO)");
        return;
    }
    cpu_set_t before;
    CPU_ZERO(&before);
    sched_getaffinity(0, sizeof before, &before);
    const int cpu = sched_getcpu();
    stay_on(cpu);
    const pid_t other = fork();
    if (other == 0) {
        for (;;) asm volatile("");
    }
    SystemStopwatch stopwatch;
    // Both run for a while before it counts: what has just begun is let in first.
    for (const double start = stopwatch.now(); stopwatch.now() < start + 0.05;) continue;
    stopwatch.watch();
    for (const double start = stopwatch.now(); stopwatch.now() < start + 0.2;) continue;
    const bool disturbed = stopwatch.disturbed();
    kill(other, SIGKILL);
    waitpid(other, nullptr, 0);
    sched_setaffinity(0, sizeof before, &before);
    CHECK(disturbed);
}

TEST_CASE("stopwatch: many threads that wait a little each have not waited long") {
    Waits before, now;
    for (long thread = 1; thread <= 64; ++thread) {
        before[thread] = 0.5;
        now[thread] = 0.5 + 1e-3;
    }
    CHECK(longest_wait(before, now) == Approx(1e-3));
    now[17] += 0.02;
    CHECK(longest_wait(before, now) == Approx(0.021));
    now[100] = 0.03;  // is new
    CHECK(longest_wait(before, now) == Approx(0.03));
    CHECK(longest_wait({}, {}) == 0.0);
    CHECK(longest_wait(before, {}) == 0.0);
}
