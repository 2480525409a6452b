// Jobs and tasks as the journal has them.
#pragma once

#include <string>

#include "tuner/engine/job.h"
#include "tuner/engine/set_plan.h"
#include "tuner/formats/strict_json.h"

namespace rooftune {

/// What makes two runs the same job over nodes, so that the second goes on from the first: its problems with
/// their content, budgets and cuts, the options that change what is measured, and the build of the kernels.
Json job_identity(const JobList& list, const std::vector<ProblemSketch>& sketches,
                  const TuneOptions& options);

/// "spmv gen=poisson27,nx=80", for lines about nodes.
std::string job_title(const Job& job);

/// What SetPlan needs to be told of a task that ended.
Json journal_json(const SetTask& task);
/// Throws InputError for what is none, or names a problem that the job does not have.
SetTask journal_task(const Json& json, const JobList& list, const std::string& file);

}  // namespace rooftune
