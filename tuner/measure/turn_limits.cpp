#include "tuner/measure/turn_limits.h"

#include <algorithm>
#include <cstdlib>

namespace rooftune {
namespace {

constexpr double kUnknown = 120.0;
// Least seconds a phase may take, whatever the incumbent.
constexpr double kPatience = 2.0;
// A variant at ten times the incumbent is not hung yet; a slot has a warm-up and three batches.
constexpr double kTimesIncumbent = 10.0;
constexpr double kRepetitionsOfSlots = 64.0;
// Where a repetition takes long enough for each step to be told: its own and its companion's.
constexpr double kRepetitionsOfStep = 2.0;
constexpr double kSlotsOfFirst = 8.0;
// A device's compiler takes seconds for a large tile, more while others use the machine, and the first
// variants may come out of its cache: what they took says nothing about the next.
constexpr double kCompilerPatience = 20.0;
// And some of it is done at the first launch only, when the size of a group is known: 1.3 s on an idle
// machine.
constexpr double kLaunchPatience = 8.0;
// A turn has one slot of at most five batches, filled data and, on a busy machine, a neighbour.
// To prepare: a variant and its companion, and once the reference.
constexpr double kCompiled = 3.0;
// Between two lines at most two pairs are run, or an answer is checked against one that is made first.
constexpr int kBuiltInPhase = 4;
// A build takes what the machine leaves it: several times what the slowest one took so far.
constexpr double kTimesBuild = 4.0;
constexpr double kTurnPatience = 8.0;
constexpr double kRepetitionsOfTurn = 20.0;

}  // namespace

Deadlines unknown_limits(double more, const CompilerLimits& compilers) {
    const char* const own = std::getenv("ROOFTUNE_RUN_LIMIT");
    const double seconds = own ? std::atof(own) : 0.0;
    const double run = seconds > 0.0 ? seconds : kUnknown;
    const double before = std::max(run, kUnknown);
    return {before, before + more + kCompiled * compilers.prepare,
            run + more + kBuiltInPhase * compilers.run};
}

Deadlines limits_of_turn(Backend backend, double repetition, const CompilerLimits& compilers) {
    Deadlines limits = unknown_limits(0.0, compilers);
    limits.run = kTurnPatience + kRepetitionsOfTurn * repetition + compilers.run;
    // Where the device's cache of compiled kernels does not have the variant any more.
    if (backend == Backend::opencl) limits.run += kCompilerPatience;
    return limits;
}

Deadlines SearchLimits::next(double incumbent_high) const {
    Deadlines limits = unknown_limits(0.0, compilers_);
    if (first_evaluation_ <= 0.0) return limits;
    const bool compiles = backend_ == Backend::opencl;
    // The first evaluation computed the oracle and converted the matrix: a fresh worker does so again.
    const bool is_told = incumbent_high >= kToldStep;
    // Of long repetitions all but the slots: each of those is a step of its own.
    const double slots = is_told ? kSlotsOfFirst * incumbent_high : 0.0;
    const double base = std::max(kPatience, 4.0 * std::max(0.0, first_evaluation_ - slots));
    limits.prepare = std::max(base, compiles ? kCompilerPatience : kPatience) + 10.0 * slowest_prepare_;
    // The first ones may have come out of a cache.
    limits.prepare += kCompiled * compilers_.prepare;
    limits.run = std::max(base, compiles ? kLaunchPatience : kPatience) +
                 kTimesIncumbent * (is_told ? kRepetitionsOfStep : kRepetitionsOfSlots) * incumbent_high +
                 builds(kBuiltInPhase);
    return limits;
}

double SearchLimits::builds(int variants) const {
    double each = compilers_.run;
    // Nobody waits that long for a run that hangs once it is known what builds take.
    if (slowest_prepare_ > 0.0) each = std::min(each, kPatience + kTimesBuild * slowest_prepare_);
    return variants * each;
}

void SearchLimits::learn(double evaluation_seconds, double prepare_seconds) {
    slowest_prepare_ = std::max(slowest_prepare_, prepare_seconds);
    if (first_evaluation_ <= 0.0) first_evaluation_ = evaluation_seconds;
}

}  // namespace rooftune
