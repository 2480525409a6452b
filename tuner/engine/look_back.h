// The winner of a tuned problem beside those of its neighbours, in a process of its own.
#pragma once

#include <set>

#include "tuner/engine/set_plan.h"
#include "tuner/engine/tune_options.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

/// What a problem was tuned to: all that a comparison needs of its result.
struct TunedWinner {
    SetTask::Values best{};  ///< empty: it has none
    double seconds = 0.0;    ///< median
};
TunedWinner winner_of(const TuneResult& result);

/// Does a task that compares. `known`: what the problem's own search has tried; where it knows all offers the
/// problem is not loaded for them, since a large matrix takes seconds. What stands in the way is told in
/// `why`.
SetTaskEnd look_back(const SetTask& task, const TuneOptions& options, const Machine& machine,
                     const TunedWinner& winner, const std::set<SetTask::Values>& known);

}  // namespace rooftune
