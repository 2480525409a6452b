// Measures the variants of a ladder in rotation: each round takes every variant once, and every other round
// runs backwards, so that a drift of the machine falls on both sides of each ratio. What a turn is, a worker
// process or a number in a test, is behind an interface.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tuner/measure/turn.h"

namespace rooftune::ladder {

class Field {
public:
    virtual ~Field() = default;
    /// Before the first turn of a round: a fresh process.
    virtual void begin(int round) = 0;
    virtual Turn take(std::size_t variant) = 0;
    virtual bool interrupted() = 0;
    /// Monotonic seconds.
    virtual double now() = 0;
    /// Told after each turn.
    virtual void progress(int round, std::size_t variant) = 0;
};

struct RotationRules {
    int least = 8;          ///< rounds, whatever they take: an interval needs them
    int most = 60;          ///< rounds
    double seconds = 30.0;  ///< no round begins beyond it once the least are done
};

struct MeasuredRounds {
    /// Seconds by variant and round; NaN where a turn gave none.
    std::vector<std::vector<double>> times;
    std::vector<std::string> failures;  ///< by variant; empty: it works
    int rounds = 0;                     ///< that were completed
    int retaken = 0;                    ///< turns that were disturbed, and taken again
    bool interrupted = false;
};

/// A disturbed turn is taken once more, and then counts whatever it was: blind to its value. A variant that
/// fails has no times and is not asked again. The turns of a round that Ctrl-C cuts short count as well.
MeasuredRounds measure(Field& field, std::size_t variants, const RotationRules& rules);

}  // namespace rooftune::ladder
