// Sampling one prepared variant: a warm-up, then batches long enough for the timer. The clock and
// the disturbance counter are interfaces, so that the rules are tested on synthetic times.
#pragma once

#include <functional>
#include <span>

#include "tuner/base/stopwatch.h"
#include "tuner/formats/record.h"

namespace rooftune {

struct SamplingRules {
    double batch_seconds = 2e-3;  ///< least length of a batch; at least 1000 × the timer's resolution
    int batches = 3;              ///< in a slot; the slot's value is the smallest batch mean
    double abandon_above = 0.0;   ///< seconds of a repetition: beyond it one repetition is enough; 0 = never
};

/// One repetition.
struct Repetition {
    std::function<void()> run;
    std::function<void()> before = {};  ///< precedes each, untimed (a flush for cold starts); may be empty
    /// Seconds of the last run by the device's own clock; empty: the stopwatch times it. How many
    /// repetitions make a batch is always decided by the stopwatch.
    std::function<double()> device_seconds = {};
};

/// Warm-up and one slot.
Slot take_slot(const Repetition& repetition, Stopwatch& stopwatch, const SamplingRules& rules);

/// Whether a measurement of `wanted` slots needs another: until so many are undisturbed, but at most four
/// more than wanted, because some machines are never quiet; and none of what takes a tenth of a second.
bool needs_slot(std::span<const Slot> slots, int wanted);

}  // namespace rooftune
