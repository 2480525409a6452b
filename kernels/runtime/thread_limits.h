// Why the system gives this process no further thread, in words.
#pragma once

#include <optional>
#include <string>

#include "kernels/runtime/control_group.h"

namespace rooftune {

/// What a shell's `ulimit` says; nullopt: no limit.
struct ResourceLimits {
    std::optional<double> processes;      ///< -u: processes and threads of this user; not asked of root
    std::optional<double> address_space;  ///< -v, bytes
};
/// Those of this process.
ResourceLimits resource_limits();

/// The limit that is reached, with its numbers: the tasks of the control group (pids.max) or those of the
/// whole system (kernel.threads-max, kernel.pid_max). Where it is none of these that can be counted, each
/// limit that is set, with its number; the memory for stacks is among them always.
std::string thread_limit_text(const ReadFile& read, const ResourceLimits& limits);
/// The same of this process.
std::string thread_limit_text();

}  // namespace rooftune
