// A job of several problems: like ones help each other, and one file holds all their winners.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tuner/base/notice.h"
#include "tuner/engine/set_plan.h"
#include "tuner/engine/tune_job.h"
#include "tuner/formats/tuned_set.h"

namespace rooftune {

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

/// Why a problem has no winner, where its memory could not be had.
inline constexpr const char* kNoMemory = "not enough memory; try a smaller problem or fewer threads";

/// The options of the job as one task has them.
TuneOptions options_of(const SetTask& task, TuneOptions options);

/// Whether a user hears of this result: not of one that was to better another and was cut short.
bool is_told(const SetTask& task, const TuneResult& result);

/// The file of the job's winners, absolute.
std::filesystem::path set_file(const JobList& list, const TuneOptions& options);

/// Writes the set, dated now, and its header beside it; leaves what is there where the set has no problem and
/// nothing failed. Throws EnvironmentError.
void write_set(const std::filesystem::path& file, TunedSet set, bool anything_failed);

/// Tunes the problems of a job, like ones together in an order in which each has a near neighbour; the
/// neighbours' winners are its first variants and their timings teach its ranker. The tuned set is written
/// after each, so that whatever ends the run, it holds what was found. A problem that fails is noted and the
/// next one begins; when every one fails for want of an environment, its EnvironmentError is thrown.
SetOutcome tune_set(const JobList& list, const std::vector<ProblemSketch>& sketches,
                    const TuneOptions& options, MachineModel& machine, const SetObserver& observer);

}  // namespace rooftune
