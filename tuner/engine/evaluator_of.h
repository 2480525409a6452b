// Who measures a job: worker processes, or this process, where the variants are its own functions.
#pragma once

#include <memory>

#include "tuner/engine/setting.h"
#include "tuner/engine/tune_options.h"
#include "tuner/measure/evaluator.h"

namespace rooftune {

/// All must outlive it. Throws EnvironmentError where threads cannot be had.
std::unique_ptr<Evaluator> evaluator_of(const Setting& setting, const Job& job, const TuneOptions& options,
                                        const SharedProblem& shared);

}  // namespace rooftune
