// Processes that children of this one leave running: adopted, so that they can be ended.
#pragma once

#include <sys/types.h>

namespace rooftune {

/// From now on a process whose parent, a descendant of this process, has ended becomes a child of this
/// process and not of the system's first one.
void adopt_what_is_left();

/// Whether this process has any child, running or not yet reaped.
bool has_children();

/// Kills and reaps every child of this process, and what becomes its child by that. Only for a process that
/// has started all of them to be ended now. Returns how many there were.
int end_all_children();

/// Kills whatever a process has started that still runs, and what that has started, in whatever group or
/// session it is; the process itself is left stopped, so that it starts nothing more, and is the caller's to
/// kill. What had lost its parent before and was not adopted is not found.
void end_descendants(pid_t of);

}  // namespace rooftune
