// Processes that children of this one leave running: adopted, so that they can be ended.
#pragma once

namespace rooftune {

/// From now on a process whose parent, a descendant of this process, has ended becomes a child of this
/// process and not of the system's first one.
void adopt_what_is_left();

/// Whether this process has any child, running or not yet reaped.
bool has_children();

/// Kills and reaps every child of this process, and what becomes its child by that. Only for a process that
/// has started all of them to be ended now. Returns how many there were.
int end_all_children();

}  // namespace rooftune
