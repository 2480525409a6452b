// How far the probing of a machine is, for the progress line.
#pragma once

#include <string>

#include "tuner/base/progress.h"

namespace rooftune {

/// After `elapsed` seconds of probing, `share` of which is done (0 to 1), where all takes about `usual`
/// seconds: what is left follows from the share, since a busy machine takes longer. `what` is probed now.
ProgressState probe_progress(double elapsed, double share, double usual, const std::string& what);

}  // namespace rooftune
