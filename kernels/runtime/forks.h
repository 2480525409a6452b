// Whether this process is still the one in which something was made.
#pragma once

namespace rooftune {

/// Counts the forks between the process that asked first and this one: a child of fork() has another number
/// than its parent, and none of its threads. Costs a load.
unsigned fork_generation();

}  // namespace rooftune
