// `rooftune tune --nodes`: the command over nodes.
#pragma once

#include "tuner/cluster/launch.h"
#include "tuner/command/common_flags.h"
#include "tuner/engine/job.h"

namespace rooftune {

/// Tunes the job on these nodes and prints what it found. The exit status of the command.
int tune_job_on_nodes(JobList list, const TuneOptions& options, const ClusterOptions& cluster,
                      const CommonFlags& flags, bool verbose);

}  // namespace rooftune
