#include <cerrno>

#include "tests/support/catch.h"
#include "tuner/measure/counters.h"
#include "tuner/measure/perf_events.h"

using namespace rooftune;

TEST_CASE("counters that took turns are scaled to the whole time") {
    CHECK(scaled({1000.0, 2.0, 2.0}).value() == 1000.0);
    CHECK(scaled({1000.0, 2.0, 0.5}).value() == 4000.0);
    CHECK(scaled({0.0, 2.0, 0.5}).value() == 0.0);
    CHECK_FALSE(scaled({1000.0, 2.0, 0.0}).has_value());
    CHECK_FALSE(scaled({}).has_value());
    // A clock that ran on between two readings of it does not make counts smaller.
    CHECK(scaled({1000.0, 1.9, 2.0}).value() == 1000.0);
    const CounterReading part = CounterReading{1500.0, 5.0, 3.0} - CounterReading{500.0, 1.0, 1.0};
    CHECK(scaled(part).value() == 2000.0);
}

TEST_CASE("events of memory controllers as sysfs describes them") {
    CHECK(event_config("event=0x04,umask=0x03") == 0x0304U);
    CHECK(event_config("event=0x5,umask=0xcf\n") == 0xcf05U);
    CHECK(event_config("umask=0x0c,event=0x4") == 0x0c04U);
    CHECK(event_config("event=0xff") == 0xffU);
    for (const char* wrong : {"", "\n", "event", "event=4", "event=0x", "event=0x1ff", "event=0x4,edge=0x1",
                              "event=0x4;umask=0x3", "event=0x4,,umask=0x3"}) {
        INFO(wrong);
        CHECK_FALSE(event_config(wrong).has_value());
    }
}

TEST_CASE("a refusal says what can be done") {
    CHECK(counters_refused(ENOENT).find("virtual machines") != std::string::npos);
    CHECK(counters_refused(EACCES).find("perf_event_paranoid") != std::string::npos);
    CHECK(counters_refused(EMFILE).find("ulimit") != std::string::npos);
    CHECK(!counters_refused(EINVAL).empty());
}

TEST_CASE("measured traffic in a sentence") {
    CHECK(traffic_sentence({true, 1.2e9, "last-level misses x 64 bytes"}, 6e8) ==
          "measured traffic: 1.2 GB a repetition (intensity 0.5 flop/byte; last-level misses x 64 bytes)");
    CHECK(traffic_sentence({true, 640.0, "x"}, 640.0).find("640 B") != std::string::npos);
    CHECK(traffic_sentence({true, 0.0, "x"}, 1.0) == "measured traffic: none beyond the caches (x)");
    // Nothing stands beside it that would replace what was not counted, so nothing is said of it.
    CHECK(traffic_sentence({false, 0.0, "not allowed"}, 1.0).empty());
}

TEST_CASE("counters count or say why not") {
    const TrafficCounters counters;
    CHECK(!counters.source().empty());
    int runs = 0;
    const MeasuredTraffic traffic = counters.measure([&] { ++runs; }, 3);
    CHECK(!traffic.source.empty());
    if (counters.available()) {
        CHECK(runs == 3);
        CHECK(traffic.bytes >= 0.0);
    } else {
        CHECK(runs == 0);
        CHECK_FALSE(traffic.seen);
    }
}
