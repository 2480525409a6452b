// Traffic as the processor counts it, through the kernel's perf events. Best are the memory controllers' own
// counts of bytes (they count for the whole machine, and need the right to); else last-level misses of this
// process's threads, a line each: without write-backs, and with what was prefetched in time left out on some
// processors.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tuner/measure/counters.h"

namespace rooftune {

class TrafficCounters {
public:
    /// Opens what there is, for all threads that this process has now.
    TrafficCounters();
    ~TrafficCounters();
    TrafficCounters(const TrafficCounters&) = delete;
    TrafficCounters& operator=(const TrafficCounters&) = delete;

    bool available() const { return !events_.empty(); }
    /// What is counted, or why nothing is.
    const std::string& source() const { return source_; }

    /// Bytes of one of `repetitions` calls of `run`.
    MeasuredTraffic measure(const std::function<void()>& run, int repetitions) const;

private:
    struct Event {
        int descriptor = -1;
        double bytes = 64.0;  ///< a count
    };
    bool open_memory_controllers();
    void open_misses();
    std::vector<CounterReading> read_all() const;

    std::vector<Event> events_;
    std::string source_;
};

}  // namespace rooftune
