// The worker process: loads one problem, then prepares, verifies and times variants on request.
#pragma once

#include <functional>
#include <optional>

#include "kernels/registry.h"

namespace rooftune {

/// Measures ceilings again on the worker's own team, for about so many seconds.
using Reprobe = std::function<std::vector<Ceiling>(const std::vector<Ceiling>&, Team&, double seconds)>;

/// The process that started this one as a worker; nothing in any other process, whatever its arguments are.
std::optional<int> worker_parent(int argc, char** argv);

/// Serves requests from standard input until it ends; returns the exit status. Ends at once when
/// `parent` (a process id) is not its parent, and dies with it later.
int run_worker(const Registry& registry, int parent, const Reprobe& reprobe);

}  // namespace rooftune
