// A worker process, seen from the tuner: holds the problem in memory, answers requests, and is
// replaced when it fails. Spawned, never forked from a threaded parent; it dies with its parent.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tuner/base/child_output.h"
#include "tuner/measure/evaluator.h"
#include "tuner/measure/protocol.h"
#include "tuner/measure/turn_limits.h"

namespace rooftune {

/// How a request ended. `line` holds the answer when the outcome is `measured`.
struct WorkerAnswer {
    Outcome outcome = Outcome::environment;
    std::string detail;
    WorkerLine line;
};

class Worker {
public:
    /// `program` is started so that worker_parent() knows it for a worker; usually this program itself. The
    /// shared descriptor stays the caller's; −1 when there is none.
    Worker(std::string program, WorkerSetup setup, int shared_descriptor);
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Each sends a request and waits for its answer; starts the process first when there is none. Only an
    /// answer about exactly what was asked counts: where one is about something else, questions and answers
    /// are out of step, nothing that this process says can be trusted, and it is ended. Throws
    /// EnvironmentError where the program has other kernels than this one, and InputError where the user's
    /// input cannot be measured with: a reference that fails before any variant has run in the process, and
    /// that has not answered in another one.
    ///
    /// What a worker says of the variant, or a failure without a time.
    Record measure(const MeasureRequest& request, const Deadlines& deadlines);
    /// One a variant, in order. Without an answer all are failures of the environment: which of them was at
    /// fault is not known, so none is blamed.
    Rotation rotate(const RotateRequest& request, const Deadlines& deadlines);
    /// One a ceiling, in order, or none.
    std::vector<Ceiling> probe(const ProbeRequest& request, const Deadlines& deadlines);

    /// How the last request ended: `measured` for any answer about what was asked, be it of a wrong variant.
    const WorkerAnswer& last() const { return last_; }

    /// Ends the process; the next ask() starts a fresh one.
    void stop();

    /// Process id, or −1 when none runs.
    int pid() const { return child_.pid(); }
    /// How many processes were started so far.
    int started() const { return started_; }

private:
    WorkerAnswer ask(const std::string& request, const Deadlines& deadlines);
    /// Ends the process, and the last request with it.
    void out_of_step(const char* why);
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
    bool nothing_ran_ = true;          ///< of variants, in this process
    bool reference_answered_ = false;  ///< once, in any process
    WorkerAnswer last_;
};

}  // namespace rooftune
