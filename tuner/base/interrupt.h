// Ctrl-C: the first one asks everything to end cleanly, a second one ends at once. A terminal that is closed
// asks as well.
#pragma once

namespace rooftune {

/// Installs the handlers for SIGINT, SIGTERM and, unless it is ignored (nohup), SIGHUP. Blocking calls are
/// interrupted, not restarted.
void watch_for_interrupt();
bool interrupted();

}  // namespace rooftune
