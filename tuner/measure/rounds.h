// Drives a comparison: turns of the arms, round by round, until a look settles it. What an arm is, a process
// or a number in a test, is behind an interface.
#pragma once

#include <cstdint>
#include <string>

#include "tuner/measure/abba.h"
#include "tuner/measure/turn.h"
#include "tuner/measure/verdict.h"

namespace rooftune::track {

class Arms {
public:
    virtual ~Arms() = default;
    /// In a fresh process.
    virtual Turn take(Arm arm) = 0;
    /// Whether a control is measured at all.
    virtual bool has_control() const = 0;
    /// Asked before each turn.
    virtual bool interrupted() = 0;
    /// Told after each round.
    virtual void progress(int rounds, const RoundTimes& times) = 0;
};

struct ComparisonRules {
    std::uint64_t seed = 1;
    double delta = 0.03;  ///< a fraction; clocks that step coarsely raise it
};

struct Compared {
    RoundTimes times;
    Judgement judgement;
    int dropped = 0;           ///< rounds that were disturbed, and taken again
    bool interrupted = false;  ///< the user asked to stop: the judgement says nothing
};

/// Rounds are dropped because they were disturbed, blind to what they said, and taken again in the same
/// order: at most ten, because some machines are never quiet. The first arm that fails ends the comparison as
/// INVALID.
Compared compare(Arms& arms, const ComparisonRules& rules);

}  // namespace rooftune::track
