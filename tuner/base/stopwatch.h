// A clock that also says whether it was disturbed, as an interface: rules of measuring are tested on
// synthetic times.
#pragma once

#include <map>

namespace rooftune {

/// Monotonic seconds, and whether something disturbed this process since the last question.
class Stopwatch {
public:
    virtual ~Stopwatch() = default;
    virtual double now() = 0;
    /// Starts watching for stolen time and preemption.
    virtual void watch() = 0;
    virtual bool disturbed() = 0;
    /// Whether it was other processes: threads of this one waited for processors that others had. False for
    /// time that a hypervisor took, which slows what is probed beside as well.
    virtual bool crowded() { return false; }
    /// Smallest step of now(), seconds.
    virtual double resolution() const = 0;
};

/// Seconds that threads, by their numbers, have waited for a processor that others had.
using Waits = std::map<long, double>;

/// Of the thread that waited longest between the two; one that is new has waited since it began.
double longest_wait(const Waits& before, const Waits& now);

/// Time that the hypervisor gave to somebody else since the system began, of all processing units, seconds;
/// it grows by ticks of 10 ms. 0 where the system does not count it.
double stolen_seconds();

/// CLOCK_MONOTONIC; stolen time from /proc/stat, preemptions from getrusage, and how long threads waited for
/// a processor from /proc/self/task.
class SystemStopwatch final : public Stopwatch {
public:
    SystemStopwatch();
    double now() override;
    void watch() override;
    bool disturbed() override;
    bool crowded() override;
    double resolution() const override { return resolution_; }

private:
    double resolution_ = 1e-9;
    double stolen_ = 0.0;
    long preempted_ = 0;
    Waits waited_;
    double since_ = 0.0;
};

}  // namespace rooftune
