// Ctrl-C: the first one asks everything to end cleanly, a second one ends at once. A terminal that is closed
// asks as well.
#pragma once

#include <functional>
#include <vector>

namespace rooftune {

/// Installs the handlers for SIGINT, SIGTERM and, unless it is ignored (nohup), SIGHUP. Blocking calls are
/// interrupted, not restarted.
void watch_for_interrupt();

/// Whether somebody asked for an end: by a signal that is watched or deferred, or by the answer of the
/// StopRequest that there is.
bool interrupted();

/// As long as it lives, a SIGINT or SIGTERM that would end the process by default asks for an end instead,
/// and another one ends the process at once. When it goes, the default actions are back, and a signal that
/// came is raised again. What the program handles or ignores itself is left to it.
class DeferredSignals {
public:
    DeferredSignals();
    ~DeferredSignals();
    DeferredSignals(const DeferredSignals&) = delete;
    DeferredSignals& operator=(const DeferredSignals&) = delete;

private:
    std::vector<int> taken_;
};

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
