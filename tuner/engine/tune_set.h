// A job of several problems: like ones help each other, and one file holds all their winners.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tuner/base/notice.h"
#include "tuner/choose/features.h"
#include "tuner/engine/tune_job.h"
#include "tuner/formats/tuned_set.h"

namespace rooftune {

/// What must be known of all problems before the first is tuned.
struct ProblemSketch {
    std::string group;  ///< equal for problems between which the rule holds
    std::vector<std::string> names;
    FeatureVector features;
};

ProblemSketch sketch_of(const Job& job, const Problem& problem, const CommonOptions& options);

struct SetOutcome {
    std::vector<TuneResult> results;  ///< of the problems that were tuned, in the order of the job
    TunedSet set;
    std::string file;      ///< of the set, absolute
    bool all_work = true;  ///< every problem has a winner
};

/// What a user hears while it runs.
struct SetObserver {
    std::function<void(const TuneResult&)> result;
    Notice notice;
    TuneObserver* tune = nullptr;  ///< of each problem's tune; may be null
};

/// Tunes the problems of a job, like ones together in an order in which each has a near neighbour; the
/// neighbours' winners are its first variants and their timings teach its ranker. The tuned set is written
/// after each, so that whatever ends the run, it holds what was found. A problem that fails is noted and the
/// next one begins; when every one fails for want of an environment, its EnvironmentError is thrown.
SetOutcome tune_set(const JobList& list, const std::vector<ProblemSketch>& sketches,
                    const TuneOptions& options, MachineModel& machine, const SetObserver& observer);

}  // namespace rooftune
