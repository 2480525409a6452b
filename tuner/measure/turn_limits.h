// How long a worker may take for a request: one set of limits for everybody who measures (a search, a
// comparison, a ladder, a verification).
#pragma once

#include "kernels/contract/family.h"

namespace rooftune {

/// Seconds a worker may take for each phase of a request before its process group is killed.
struct Deadlines {
    double load = 60.0;
    double prepare = 30.0;  ///< until "prepared", of a companion as well
    double run = 30.0;      ///< from there to each further line
};

/// What compilers may take for one variant, seconds.
struct CompilerLimits {
    double prepare = 0.0;  ///< before it is prepared: Family::compile_seconds()
    double run = 0.0;  ///< before it runs, since another one may have been built: Family::rebuild_seconds()
};

/// Seconds of a step from which on a worker tells that it is over, though a request has more: of samples of
/// whole programs each takes its time. Shorter ones would be disturbed by that.
inline constexpr double kToldStep = 0.2;

/// Where nothing of the problem was measured yet, nobody knows how long it takes to load, convert and check:
/// two minutes, and to run, $ROOFTUNE_RUN_LIMIT, in seconds, where that is set; no phase before has less than
/// two minutes. `more`: seconds on top for each phase after loading.
Deadlines unknown_limits(double more = 0.0, const CompilerLimits& compilers = {});

/// A turn of a variant that has run before, one repetition of which took so many seconds then: several times
/// what it needs. A fresh process may load and convert as long as the first one.
Deadlines limits_of_turn(Backend backend, double repetition, const CompilerLimits& compilers = {});

/// The limits of a search, which follow what it has seen: how long the first evaluation took as a whole, how
/// long the slowest preparation, and the incumbent. A variant that hangs costs seconds, not minutes.
class SearchLimits {
public:
    explicit SearchLimits(Backend backend, const CompilerLimits& compilers = {})
        : backend_(backend), compilers_(compilers) {}

    /// `incumbent_high`: seconds of one repetition; 0 without an incumbent.
    Deadlines next(double incumbent_high) const;
    /// What so many variants may take to be built before they run, in one phase.
    double builds(int variants) const;
    /// An evaluation that was answered, be it with a failure: how long it took as a whole, and to prepare.
    void learn(double evaluation_seconds, double prepare_seconds);

private:
    Backend backend_;
    CompilerLimits compilers_;
    double slowest_prepare_ = 0.0;
    double first_evaluation_ = 0.0;  // seconds; 0 until there was one
};

}  // namespace rooftune
