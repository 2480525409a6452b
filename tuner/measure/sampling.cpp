#include "tuner/measure/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rooftune {
namespace {

constexpr double kLongRepetition = 20e-3;       // seconds
constexpr double kVeryLongRepetition = 100e-3;  // seconds; what refills caches takes a percent or so of it

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

// What disturbed the slot that just ended.
void look_at(Stopwatch& stopwatch, Slot& slot) {
    slot.crowded = stopwatch.crowded();
    slot.disturbed = slot.crowded || stopwatch.disturbed();
}

}  // namespace

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
            look_at(stopwatch, slot);
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
    look_at(stopwatch, slot);
    return slot;
}

bool needs_slot(std::span<const Slot> slots, int wanted) {
    constexpr int kMostReplaced = 4;
    if (wanted <= 0) return false;
    // What takes long is disturbed for some of the time whenever it runs, and replacing it takes long, too.
    double least = slots.empty() ? 0.0 : slots.front().seconds;
    for (const Slot& slot : slots) least = std::min(least, slot.seconds);
    if (least >= kVeryLongRepetition) return static_cast<int>(slots.size()) < wanted;
    const auto disturbed =
        std::count_if(slots.begin(), slots.end(), [](const Slot& s) { return s.disturbed; });
    return static_cast<std::ptrdiff_t>(slots.size()) <
           wanted + std::min<std::ptrdiff_t>(disturbed, kMostReplaced);
}

}  // namespace rooftune
