// The agent: what runs on a node of a cluster, started by the launcher, and measures there what the
// coordinator at the other end of its standard streams asks for.
#pragma once

#include <string>

#include "kernels/registry.h"

namespace rooftune {

/// Serves until the coordinator says goodbye or is gone; a tune that runs then is ended. Keeps what it
/// measures in a store of its own. `in` and `out` are the streams to the coordinator, which nothing else may
/// use. Returns the exit status of the process.
int run_agent(const Registry& registry, const std::string& version, int in, int out);

}  // namespace rooftune
