// The worker process: loads one problem, then prepares, verifies and times variants on request.
#pragma once

#include <optional>

#include "kernels/registry.h"
#include "tuner/measure/variant_server.h"

namespace rooftune {

/// The process that started this one as a worker; nothing in any other process, whatever its arguments are.
std::optional<int> worker_parent(int argc, char** argv);

/// Serves requests from standard input until it ends; returns the exit status. Ends at once when
/// `parent` (a process id) is not its parent, and dies with it later.
int run_worker(const Registry& registry, int parent, const Reprobe& reprobe);

}  // namespace rooftune
