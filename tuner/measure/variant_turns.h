// Turns of a few variants of one problem in worker processes: how a comparison, a ladder and a verification
// measure. In what order turns are taken, and when a process is replaced, is theirs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tuner/measure/turn.h"
#include "tuner/measure/turn_limits.h"
#include "tuner/measure/worker.h"

namespace rooftune {

/// Where a turn's time goes: batches, of which the shortest counts. A long repetition is a batch of its own
/// (sampling.h), so that a naive variant a hundred times as slow costs one or two repetitions.
struct TurnRules {
    int batches = 5;
    double batch_seconds = 0.02;
    /// Seconds: a variant of which one repetition takes longer fails with words that name --limit.
    double limit = 60.0;
    std::uint64_t seed = 1;
};

class VariantTurns {
public:
    using Values = std::map<std::string, std::string>;

    /// `program` is this program, started again as a worker. The descriptor is the caller's, −1 without one.
    VariantTurns(const std::string& program, const WorkerSetup& setup, int shared_descriptor,
                 std::vector<Values> variants, const TurnRules& rules);

    /// One turn of a variant, by its place in the list. Its first turn verifies its answer, for which nobody
    /// knows the time; later ones have several times what the first needed. A variant that cannot be
    /// measured, or an answer about another one, is a turn with a failure.
    Turn take(std::size_t variant);

    /// The next turn begins in a fresh process: what a process is dealt (pages, addresses) is drawn anew.
    void renew() { worker_.stop(); }

    /// Ceilings as they are now, one each in the order asked, a maximum of 0 where one cannot be probed;
    /// none where the worker does not answer, and `why`.
    std::vector<Ceiling> probe(const std::vector<Ceiling>& ceilings, double seconds, std::string& why);

    /// Seconds of one repetition in a variant's last turn; 0 before its first.
    double seconds_of(std::size_t variant) const { return seconds_[variant]; }

private:
    Backend backend_;
    CompilerLimits compilers_;
    Worker worker_;
    std::vector<Values> variants_;
    std::vector<double> seconds_;
    TurnRules rules_;
    double clock_step_;  // seconds
};

}  // namespace rooftune
