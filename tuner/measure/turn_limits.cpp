#include "tuner/measure/turn_limits.h"

#include <algorithm>

namespace rooftune {
namespace {

constexpr double kUnknown = 120.0;
// Least seconds a phase may take, whatever the incumbent.
constexpr double kPatience = 2.0;
// A variant at ten times the incumbent is not hung yet; a slot has a warm-up and three batches.
constexpr double kTimesIncumbent = 10.0;
constexpr double kRepetitionsOfSlots = 64.0;
// A device's compiler takes seconds for a large tile, more while others use the machine, and the first
// variants may come out of its cache: what they took says nothing about the next.
constexpr double kCompilerPatience = 20.0;
// And some of it is done at the first launch only, when the size of a group is known: 1.3 s on an idle
// machine.
constexpr double kLaunchPatience = 8.0;
// A turn has one slot of at most five batches, filled data and, on a busy machine, a neighbour.
constexpr double kTurnPatience = 8.0;
constexpr double kRepetitionsOfTurn = 20.0;

}  // namespace

Deadlines unknown_limits(double more) {
    return {kUnknown, kUnknown + more, kUnknown + more};
}

Deadlines limits_of_turn(Backend backend, double repetition) {
    Deadlines limits = unknown_limits();
    limits.run = kTurnPatience + kRepetitionsOfTurn * repetition;
    // Where the device's cache of compiled kernels does not have the variant any more.
    if (backend == Backend::opencl) limits.run += kCompilerPatience;
    return limits;
}

Deadlines SearchLimits::next(double incumbent_high) const {
    Deadlines limits = unknown_limits();
    if (first_evaluation_ <= 0.0) return limits;
    const bool compiles = backend_ == Backend::opencl;
    // The first evaluation computed the oracle and converted the matrix: a fresh worker does so again.
    const double base = std::max(kPatience, 4.0 * first_evaluation_);
    limits.prepare = std::max(base, compiles ? kCompilerPatience : kPatience) + 10.0 * slowest_prepare_;
    // The first ones may have come out of a cache. A variant and its companion, and once the reference.
    limits.prepare += 3.0 * compile_seconds_;
    limits.run = std::max(base, compiles ? kLaunchPatience : kPatience) +
                 kTimesIncumbent * kRepetitionsOfSlots * incumbent_high;
    return limits;
}

void SearchLimits::learn(double evaluation_seconds, double prepare_seconds) {
    slowest_prepare_ = std::max(slowest_prepare_, prepare_seconds);
    if (first_evaluation_ <= 0.0) first_evaluation_ = evaluation_seconds;
}

}  // namespace rooftune
