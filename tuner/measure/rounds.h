// Drives a comparison: turns of the arms, round by round, until a look settles it. What an arm is, a process
// or a number in a test, is behind an interface.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tuner/measure/abba.h"
#include "tuner/measure/turn.h"
#include "tuner/measure/verdict.h"

namespace rooftune::track {

class Arms {
public:
    virtual ~Arms() = default;
    /// The baseline and those that are compared with it.
    virtual std::size_t count() const { return 2; }
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
    int comparisons = 1;  ///< whose intervals are to hold together: see looks_for()
    /// Why an arm is not measured at all, by its number; one that is, and one beyond the end, has no reason.
    std::vector<std::string> absent{};
};

struct Compared {
    RoundTimes times;
    Judgement judgement;
    /// Of the turns behind `times.base` and `times.candidate`: whether other processes were beside them.
    std::vector<bool> base_crowded{}, candidate_crowded{};
    int dropped = 0;           ///< rounds that were disturbed, and taken again
    bool interrupted = false;  ///< the user asked to stop: judged by the rounds up to then
};

/// One arm against the baseline.
struct ArmCompared {
    std::vector<double> times;  ///< one a round
    std::vector<bool> crowded;  ///< of each of them, as in Compared
    Judgement judgement;
    bool ended = false;  ///< it gave no time, and the rounds went on without it (settled before, or INVALID)
};

/// Several arms in the same rounds, each against the baseline.
struct SeveralCompared {
    RoundTimes shared;               ///< without a candidate
    std::vector<bool> base_crowded;  ///< as in Compared
    std::vector<ArmCompared> arms;   ///< in their order, without the baseline
    int dropped = 0;
    bool interrupted = false;
};

/// "A", "B", …: what reasons and tables call the arm of this number.
std::string letter_of(std::size_t number);

/// As compare(), for any number of arms: rounds go on until each is settled. A settled judgement is final,
/// whatever comes of the rounds that others still ask for. One that fails before is INVALID and leaves the
/// others their rounds; where the baseline fails, all that are still open are. When the user asks to stop,
/// what is open is judged by the looks that there were, which leaves it INCONCLUSIVE, and says so.
SeveralCompared compare_several(Arms& arms, const ComparisonRules& rules);

/// Rounds are dropped because they were disturbed, blind to what they said, and taken again in the same
/// order: at most ten, because some machines are never quiet. The first arm that fails ends the comparison as
/// INVALID.
Compared compare(Arms& arms, const ComparisonRules& rules);

}  // namespace rooftune::track
