// Ctrl-C: the first one asks everything to end cleanly, a second one ends at once.
#pragma once

namespace rooftune {

/// Installs the handlers for SIGINT and SIGTERM. Blocking calls are interrupted, not restarted.
void watch_for_interrupt();
bool interrupted();

}  // namespace rooftune
