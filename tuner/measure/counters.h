// What hardware counters say about traffic: the arithmetic, apart from reading them (perf_events.h), so that
// it is tested where there are none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tuner/formats/record.h"

namespace rooftune {

/// One event as the kernel reports it. With more events than the processor has counters they take turns.
struct CounterReading {
    double value = 0.0;
    double enabled = 0.0;  ///< seconds that it was wanted
    double running = 0.0;  ///< seconds that it had a counter
};

/// The count over all of the time that it was wanted; nullopt when it never had a counter.
std::optional<double> scaled(const CounterReading& reading);

/// Two readings of one event, the later one first.
CounterReading operator-(const CounterReading& later, const CounterReading& earlier);

/// An event as sysfs describes it, "event=0x04,umask=0x03", as the number that the kernel wants: event in
/// bits 0–7, umask in 8–15, as every memory controller of Intel's has them. nullopt for any other term.
std::optional<std::uint64_t> event_config(std::string_view description);

/// Why perf_event_open failed, in words for people, with what can be done.
std::string counters_refused(int error);

/// "measured traffic: 1.20 GB a repetition (intensity 0.41 flop/byte; last-level misses x 64 bytes)", or that
/// there are no counters here and why, so that only the model's interval is shown.
std::string traffic_sentence(const MeasuredTraffic& traffic, double flops);

}  // namespace rooftune
