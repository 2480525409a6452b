// Threads that a kernel leaves at work when its call is over: they take processors from all that is measured
// in their process afterwards, and from the kernel's own next call.
#pragma once

#include <sys/types.h>

#include <vector>

namespace rooftune::external {

/// The threads of this process, by number, ascending.
std::vector<pid_t> tasks();

/// How many threads that are not among `before` (ascending) are still at work when they have had a second to
/// come to rest. 0 at once where there are no others, and as soon as all others rest: a team that waits for
/// its next call (of OpenMP, oneTBB, or the kernel's own) sleeps after some milliseconds of spinning.
int threads_left_running(const std::vector<pid_t>& before);

}  // namespace rooftune::external
