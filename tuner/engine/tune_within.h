// A tune within a program that is not the command: one at a time, and no exception passes through it.
#pragma once

#include "tuner/engine/job.h"
#include "tuner/engine/tune_options.h"
#include "tuner/formats/tune_result.h"
#include "tuner/search/tune_observer.h"

namespace rooftune {

/// Prepares and tunes one job. `observer` may be null; what it throws ends the tune, and is thrown on when
/// that has been written. Throws InputError, also while another tune runs in this process, and
/// EnvironmentError.
TuneResult tune_within(Job job, const TuneOptions& options, TuneObserver* observer);

}  // namespace rooftune
