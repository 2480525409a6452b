// What every tune begins with, of one problem or of several, for a command and for tune().
#pragma once

#include <optional>
#include <vector>

#include "tuner/base/notice.h"
#include "tuner/engine/tune_set.h"

namespace rooftune {

struct PreparedJobs {
    std::vector<ProblemSketch> sketches;  ///< one a job
    std::optional<MachineModel> machine;  ///< nothing after Ctrl-C
};

/// Checks options and jobs: each problem is loaded and its space cut. `here`: they are to be tuned on this
/// machine; what may be left out is, with a notice, where there is no device. `thread_counts` as below. A
/// single problem stays loaded. Throws InputError and EnvironmentError.
std::vector<ProblemSketch> check_jobs(std::vector<Job>& jobs, const TuneOptions& options, bool here,
                                      const Notice& notice, const std::vector<int>& thread_counts = {});

/// Checks options and jobs before time is spent on the machine or on the first problem: each is loaded and
/// its space cut. One that may be left out is, with a notice, where there is no device; a single one stays
/// loaded, of several each is loaded again for its turn, so that memory holds one at a time. Then the machine
/// that they are tuned for: machine_model(), and where one of them runs on an OpenCL device and `to_measure`,
/// know_device(). `thread_counts`: they are tuned for each of these in turn, in place of the options' own
/// number, and what is checked holds for all of them. Throws InputError and EnvironmentError.
PreparedJobs prepare_jobs(std::vector<Job>& jobs, const TuneOptions& options, bool to_measure,
                          const Notice& notice, const std::vector<int>& thread_counts = {});

}  // namespace rooftune
