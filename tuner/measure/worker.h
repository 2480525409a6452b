// A worker process, seen from the tuner: holds the problem in memory, answers requests, and is
// replaced when it fails. Spawned, never forked from a threaded parent; it dies with its parent.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tuner/base/child_output.h"
#include "tuner/measure/protocol.h"

namespace rooftune {

/// Seconds a worker may take for each phase of a request before its process group is killed.
struct Deadlines {
    double load = 60.0;
    double prepare = 30.0;  ///< until "prepared"
    double run = 30.0;      ///< from there to each further line
};

/// How a request ended. `line` holds the answer when the outcome is `measured`.
struct WorkerAnswer {
    Outcome outcome = Outcome::environment;
    std::string detail;
    WorkerLine line;
};

class Worker {
public:
    /// `program` is started as `program --worker PID`; usually this program itself. The shared
    /// descriptor stays the caller's; −1 when there is none.
    Worker(std::string program, WorkerSetup setup, int shared_descriptor);
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Sends one request and waits for its answer; starts the process first when there is none.
    /// `request` is a JSON document on one line.
    WorkerAnswer ask(const std::string& request, const Deadlines& deadlines);

    /// Ends the process; the next ask() starts a fresh one.
    void stop();

    /// Process id, or −1 when none runs.
    int pid() const { return child_.pid(); }
    /// How many processes were started so far.
    int started() const { return started_; }

private:
    bool start(const Deadlines& deadlines, WorkerAnswer& failure);
    bool send(const std::string& line);
    /// Ends the process; turns how it ended into an outcome. Where `late`, it did not answer within
    /// `seconds`.
    WorkerAnswer bury(bool late, double seconds);

    std::string program_;
    WorkerSetup setup_;
    int shared_ = -1;
    ChildProcess child_;
    Descriptor to_, errors_;
    LineReader answers_;
    int started_ = 0;
};

}  // namespace rooftune
