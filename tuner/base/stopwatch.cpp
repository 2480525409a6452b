#include "tuner/base/stopwatch.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "tuner/base/clock.h"

namespace rooftune {
namespace {

long preemptions() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw;
}

}  // namespace

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
    since_ = monotonic_seconds();
}

bool SystemStopwatch::disturbed() {
    // Over 1 % stolen, counted in ticks of 10 ms: a slot shorter than a second is disturbed by any
    // tick that falls into it. Preemption: more than one switch in 10 ms of running is somebody else's work.
    const double elapsed = monotonic_seconds() - since_;
    const double stolen = stolen_seconds() - stolen_;
    const auto switches = static_cast<double>(preemptions() - preempted_);
    return stolen > 0.01 * elapsed || switches > std::max(2.0, elapsed / 0.01);
}

}  // namespace rooftune
