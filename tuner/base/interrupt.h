// Ctrl-C: the first one asks everything to end cleanly, a second one ends at once. A terminal that is closed
// asks as well.
#pragma once

#include <functional>

namespace rooftune {

/// Installs the handlers for SIGINT, SIGTERM and, unless it is ignored (nohup), SIGHUP. Blocking calls are
/// interrupted, not restarted.
void watch_for_interrupt();

/// Whether somebody asked for an end: by a signal, or by the answer of the StopRequest that there is.
bool interrupted();

/// As long as it lives, interrupted() asks `stop` as well: how a program that has its own handlers, or none,
/// ends what it calls. One at a time in a process; asked on the threads that ask interrupted().
class StopRequest {
public:
    explicit StopRequest(std::function<bool()> stop);
    ~StopRequest();
    StopRequest(const StopRequest&) = delete;
    StopRequest& operator=(const StopRequest&) = delete;
};

}  // namespace rooftune
