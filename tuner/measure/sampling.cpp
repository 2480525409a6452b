#include "tuner/measure/sampling.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <limits>
#include <string>

namespace rooftune {
namespace {

double monotonic() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Stolen time of all processing units, in seconds: the eighth number of /proc/stat's first line.
double stolen_seconds() {
    std::ifstream stat("/proc/stat");
    std::string label;
    stat >> label;
    double value = 0.0;
    for (int field = 0; field < 8; ++field) stat >> value;
    return stat ? value / static_cast<double>(sysconf(_SC_CLK_TCK)) : 0.0;
}

long preemptions() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw;
}

constexpr double kLongRepetition = 20e-3;       // seconds
constexpr double kVeryLongRepetition = 200e-3;  // seconds

struct Timed {
    double seconds = 0.0;  ///< of all repetitions, by the clock that counts
    double wall = 0.0;     ///< by the stopwatch
};

Timed timed(const Repetition& repetition, Stopwatch& stopwatch, int repetitions) {
    Timed sum;
    if (!repetition.before && !repetition.device_seconds) {
        const double start = stopwatch.now();
        for (int r = 0; r < repetitions; ++r) repetition.run();
        sum.seconds = sum.wall = stopwatch.now() - start;
        return sum;
    }
    for (int r = 0; r < repetitions; ++r) {
        if (repetition.before) repetition.before();
        const double start = stopwatch.now();
        repetition.run();
        const double wall = stopwatch.now() - start;
        sum.wall += wall;
        sum.seconds += repetition.device_seconds ? repetition.device_seconds() : wall;
    }
    return sum;
}

}  // namespace

SystemStopwatch::SystemStopwatch() {
    // What the clock claims (1 ns) is not what it steps by.
    double smallest = 1.0;
    for (int i = 0; i < 64; ++i) {
        const double start = monotonic();
        double end = start;
        while (end <= start) end = monotonic();
        smallest = std::min(smallest, end - start);
    }
    resolution_ = smallest;
}

double SystemStopwatch::now() {
    return monotonic();
}

void SystemStopwatch::watch() {
    stolen_ = stolen_seconds();
    preempted_ = preemptions();
    since_ = monotonic();
}

bool SystemStopwatch::disturbed() {
    // Over 1 % stolen, counted in ticks of 10 ms: a slot shorter than a second is disturbed by any
    // tick that falls into it. Preemption: more than one switch in 10 ms of running is somebody else's work.
    const double elapsed = monotonic() - since_;
    const double stolen = stolen_seconds() - stolen_;
    const auto switches = static_cast<double>(preemptions() - preempted_);
    return stolen > 0.01 * elapsed || switches > std::max(2.0, elapsed / 0.01);
}

Slot take_slot(const Repetition& repetition, Stopwatch& stopwatch, const SamplingRules& rules) {
    stopwatch.watch();
    Slot slot;
    const Timed warm_up = timed(repetition, stopwatch, 1);
    if (rules.abandon_above > 0.0 && warm_up.seconds > rules.abandon_above) {
        // The first repetition may pay for page faults and cold caches: one more decides, if it can.
        constexpr double kHopeless = 4.0;
        slot.seconds = warm_up.seconds > kHopeless * rules.abandon_above
                           ? warm_up.seconds
                           : std::min(warm_up.seconds, timed(repetition, stopwatch, 1).seconds);
        slot.repetitions = 1;
        if (slot.seconds > rules.abandon_above) {
            slot.disturbed = stopwatch.disturbed();
            return slot;
        }
    }
    const double batch = std::max(rules.batch_seconds, 1000.0 * stopwatch.resolution());
    // The warm-up may be several times a warm repetition; batches that come out short are extended.
    int repetitions = std::max(1, static_cast<int>(std::ceil(batch / std::max(warm_up.wall, 1e-9))));
    // A long repetition is a batch by itself, and neither short spikes nor a cold start decide its time: the
    // first of a slot counts as well, so that a slow variant does not cost a slot of four repetitions.
    const bool is_long = warm_up.wall >= kLongRepetition;
    const int batches = !is_long ? rules.batches : warm_up.wall >= kVeryLongRepetition ? 0 : 1;
    double best = is_long ? warm_up.seconds : std::numeric_limits<double>::infinity();
    for (int b = 0; b < batches; ++b) {
        Timed sum = timed(repetition, stopwatch, repetitions);
        if (sum.wall < 0.8 * batch) {
            repetitions = static_cast<int>(std::ceil(repetitions * batch / std::max(sum.wall, 1e-9)));
            sum = timed(repetition, stopwatch, repetitions);
        }
        best = std::min(best, sum.seconds / repetitions);
    }
    slot.seconds = best;
    slot.repetitions = repetitions;
    slot.disturbed = stopwatch.disturbed();
    return slot;
}

bool needs_slot(std::span<const Slot> slots, int wanted) {
    constexpr int kMostReplaced = 4;
    if (wanted <= 0) return false;
    const auto disturbed =
        std::count_if(slots.begin(), slots.end(), [](const Slot& s) { return s.disturbed; });
    return static_cast<std::ptrdiff_t>(slots.size()) <
           wanted + std::min<std::ptrdiff_t>(disturbed, kMostReplaced);
}

}  // namespace rooftune
