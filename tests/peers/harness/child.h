// The process of one arm. It is forked before anything is timed, holds its own data, and is blocked in
// a read from a pipe while other arms have their turn.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "tests/peers/harness/arm.h"
#include "tests/peers/harness/turn.h"

namespace rooftune::peers {

struct Ready {
    bool ok = false;
    std::string detail;  ///< of the subject; when not ok, why
    double error = 0.0;  ///< of the checked answer over its tolerance
};

class Child {
public:
    /// Forks; the caller must have one thread only. Throws EnvironmentError.
    Child(Arm arm, std::vector<int> cpus);
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    const Arm& arm() const { return arm_; }

    /// Makes the subject and checks one answer. An arm that throws or dies is not ok, and says so.
    Ready prepare(std::uint64_t seed);

    /// One turn. Throws EnvironmentError when the process died.
    Slot turn(const TurnRules& rules);

    /// Waits until the whole process has used no CPU for 2 ms and none of its threads wants any, so that
    /// threads which spin for a while after their last job (OpenBLAS 25 ms, OpenMP some 10 ms, ours 2 ms) do
    /// not slow the next arm. Returns the seconds it took, `limit` when the process never rested.
    double settle(double limit = 2.0) const;

private:
    std::string ask(const std::string& request);
    std::string how_it_ended();

    Arm arm_;
    pid_t pid_ = -1;
    int to_ = -1, from_ = -1;
};

}  // namespace rooftune::peers
