// The kernels of likwid-bench: hand-written assembly, for caches and memory and for the peak.
#pragma once

#include <string>

#include "tuner/machine/audit/peer.h"

namespace rooftune::audit {

Peer likwid_peer();

/// What likwid-bench says of one run.
struct LikwidRun {
    double seconds = 0.0;
    double iterations = 0.0;  ///< of each thread
    double bytes = 0.0;       ///< of all its arrays together
    double flops = 0.0;       ///< of the whole run
};

/// From its output; throws EnvironmentError when a line is missing or holds no number.
LikwidRun parse_likwid(const std::string& output);

}  // namespace rooftune::audit
