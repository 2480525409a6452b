// One turn of one arm: a warm-up, then batches. Unlike the tuner's slots, which save time on slow variants,
// the warm-up never counts where a repetition takes less than a second: its threads have just been woken
// and its data may lie behind another arm's in the caches.
#pragma once

#include <functional>

#include "tuner/measure/sampling.h"

namespace rooftune::peers {

struct TurnRules {
    double seconds = 0.06;  ///< least length of all batches together
    int batches = 3;        ///< fewer where one repetition is long; the turn's value is the least batch mean
};

/// `run` is one repetition. Three batches of at least a third of `seconds` each; one batch from 0.2 s a
/// repetition on; from 1 s on the first repetition is the turn.
Slot take_turn(const std::function<void()>& run, Stopwatch& stopwatch, const TurnRules& rules);

}  // namespace rooftune::peers
