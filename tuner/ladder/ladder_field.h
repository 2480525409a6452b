// The variants of a ladder as they are on this machine: in worker processes, fresh ones each round.
#pragma once

#include <string>
#include <vector>

#include "tuner/base/progress.h"
#include "tuner/command/common_flags.h"
#include "tuner/engine/tune_job.h"
#include "tuner/ladder/plan.h"
#include "tuner/ladder/rounds.h"
#include "tuner/measure/sampling.h"
#include "tuner/measure/variant_turns.h"

namespace rooftune {

/// A round has two processes at most: one with the team of all threads, which also probes the watched
/// ceilings, and one with a team of one thread for variants that stand alone. What a process is dealt (pages,
/// addresses) is drawn anew for each round. A variant is verified in its first turn.
class LadderField final : public ladder::Field {
public:
    /// `limit` in seconds: a variant of which one repetition takes longer is left out. `budget_seconds` is
    /// for the bar. The descriptor is the caller's, −1 without one.
    LadderField(const Setting& setting, const Job& job, int shared_descriptor, const ladder::Plan& plan,
                const std::vector<Ceiling>& watched, double limit, double budget_seconds,
                const CommonFlags& common);

    void begin(int round) override;
    Turn take(std::size_t variant) override;
    bool interrupted() override;
    double now() override { return clock_.now(); }
    void progress(int round, std::size_t variant) override;

    const std::vector<Ceiling>& watched() const { return watched_; }
    /// Of each watched ceiling, one a round in which it could be probed.
    const std::vector<std::vector<double>>& rates() const { return rates_; }

private:
    VariantTurns& turns_of(std::size_t variant);

    const ladder::Plan* plan_;
    VariantTurns together_, alone_;
    std::vector<Ceiling> watched_;
    std::vector<std::vector<double>> rates_;
    Progress bar_;
    ProgressState state_;
    SystemStopwatch clock_;
    double started_;
};

}  // namespace rooftune
