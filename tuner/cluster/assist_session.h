// A problem that somebody else tunes, held open by a helper, which measures single variants of it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tuner/cluster/words.h"
#include "tuner/engine/recording_evaluator.h"
#include "tuner/engine/setting.h"

namespace rooftune {

class AssistSession {
public:
    /// Loads the problem of the task; all must outlive it. What it measures goes to a store of its own, and
    /// to `tap`. Throws InputError and EnvironmentError.
    AssistSession(const Job& job, const TuneOptions& options, const Machine& machine, RecordTap& tap);
    ~AssistSession();
    AssistSession(const AssistSession&) = delete;
    AssistSession& operator=(const AssistSession&) = delete;

    /// Throws InputError for a variant that is none here.
    Record measure(const AskWords& ask);

private:
    Job job_;
    TuneOptions options_;
    Setting setting_;
    SharedProblem shared_;
    Store store_;
    JobId id_;
    RunId run_;
    std::unique_ptr<Evaluator> measuring_;
    RecordingEvaluator evaluator_;
};

}  // namespace rooftune
