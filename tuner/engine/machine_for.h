// The machine that jobs are tuned for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tuner/base/notice.h"
#include "tuner/engine/job.h"
#include "tuner/engine/machine_model.h"

namespace rooftune {

/// machine_model() for the processors that `options` choose, and where one of the jobs runs on an OpenCL
/// device and `to_measure`, know_device() as well. Nothing after Ctrl-C. Throws InputError and
/// EnvironmentError.
std::optional<MachineModel> machine_for(const std::vector<Job>& jobs, const CommonOptions& options,
                                        bool to_measure, const Notice& notice);

}  // namespace rooftune
