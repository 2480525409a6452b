#include <algorithm>
#include <vector>

#include "tests/support/catch.h"
#include "tuner/measure/sampling.h"

using namespace rooftune;

namespace {

// A clock that only the repetitions move.
class FakeStopwatch final : public Stopwatch {
public:
    double now() override { return time; }
    void watch() override {}
    bool disturbed() override { return disturb; }
    bool crowded() override { return crowd; }
    double resolution() const override { return step; }
    double time = 100.0;
    double step = 1e-9;
    bool disturb = false, crowd = false;
};

}  // namespace

TEST_CASE("a slot says whether it was disturbed, and whether by other processes") {
    FakeStopwatch watch;
    const Repetition repetition{[&] { watch.time += 10e-6; }, {}};
    for (const bool crowd : {false, true}) {
        for (const bool disturb : {false, true}) {
            watch.crowd = crowd;
            watch.disturb = disturb;
            // Also where one repetition is enough.
            for (const double abandon_above : {0.0, 1e-9}) {
                SamplingRules rules;
                rules.abandon_above = abandon_above;
                const Slot slot = take_slot(repetition, watch, rules);
                CHECK(slot.crowded == crowd);
                CHECK(slot.disturbed == (crowd || disturb));
            }
        }
    }
}

TEST_CASE("a batch lasts at least 2 ms and at least 1000 ticks") {
    FakeStopwatch watch;
    int runs = 0;
    const Repetition repetition{[&] {
                                    watch.time += 10e-6;
                                    ++runs;
                                },
                                {}};
    Slot slot = take_slot(repetition, watch, {});
    CHECK(slot.repetitions == 200);
    CHECK(slot.seconds == Approx(10e-6));
    CHECK(runs == 1 + 3 * 200);
    watch.step = 10e-6;
    slot = take_slot(repetition, watch, {});
    CHECK(slot.repetitions == 1000);
}

TEST_CASE("a warm-up that was slow does not leave the batches short") {
    FakeStopwatch watch;
    bool first = true;
    const Repetition repetition{[&] {
                                    watch.time += first ? 5e-3 : 10e-6;
                                    first = false;
                                },
                                {}};
    const Slot slot = take_slot(repetition, watch, {});
    CHECK(slot.repetitions == 200);
    CHECK(slot.seconds == Approx(10e-6));
}

TEST_CASE("the slot's value is its best batch") {
    FakeStopwatch watch;
    int batch = 0;
    const Repetition repetition{[&] { watch.time += (++batch == 3 ? 4e-3 : 6e-3); }, {}};
    CHECK(take_slot(repetition, watch, {}).seconds == Approx(4e-3));
}

TEST_CASE("long repetitions are batches by themselves, and the first counts") {
    FakeStopwatch watch;
    std::vector<double> times{30e-3, 40e-3, 50e-3, 60e-3};
    std::size_t runs = 0;
    const Repetition repetition{[&] { watch.time += times.at(runs++); }, {}, {}};
    CHECK(take_slot(repetition, watch, {}).seconds == Approx(30e-3));
    CHECK(runs == 2);
    for (const double first : {101e-3, 300e-3}) {
        times = {first, 90e-3};
        runs = 0;
        CHECK(take_slot(repetition, watch, {}).seconds == Approx(first));
        CHECK(runs == 1);
    }
    times = {99e-3, 90e-3};
    runs = 0;
    CHECK(take_slot(repetition, watch, {}).seconds == Approx(90e-3));
    CHECK(runs == 2);
}

TEST_CASE("a cold start flushes before each repetition, untimed") {
    FakeStopwatch watch;
    int flushes = 0;
    const Repetition repetition{[&] { watch.time += 1e-3; },
                                [&] {
                                    watch.time += 7.0;
                                    ++flushes;
                                }};
    const Slot slot = take_slot(repetition, watch, {});
    CHECK(slot.seconds == Approx(1e-3));
    CHECK(flushes == 1 + 3 * 2);
}

TEST_CASE("a device's own clock counts, the stopwatch decides how many repetitions make a batch") {
    FakeStopwatch watch;
    int runs = 0;
    Repetition repetition{[&] {
                              watch.time += 50e-6;  // launching included
                              ++runs;
                          },
                          {},
                          [] { return 20e-6; }};
    const Slot slot = take_slot(repetition, watch, {});
    CHECK(slot.repetitions == 40);
    CHECK(slot.seconds == Approx(20e-6));
    SamplingRules rules;
    rules.abandon_above = 30e-6;  // above the device's time, below the stopwatch's
    runs = 0;
    CHECK(take_slot(repetition, watch, rules).repetitions == 40);
    rules.abandon_above = 10e-6;
    CHECK(take_slot(repetition, watch, rules).repetitions == 1);
}

TEST_CASE("a variant beyond the limit is abandoned after two repetitions") {
    FakeStopwatch watch;
    int runs = 0;
    const Repetition repetition{[&] {
                                    watch.time += 0.5;
                                    ++runs;
                                },
                                {}};
    const Slot slot = take_slot(repetition, watch, {.abandon_above = 0.2});
    CHECK(runs == 2);
    CHECK(slot.repetitions == 1);
    CHECK(slot.seconds == Approx(0.5));
    // Beyond four times the limit a second cannot rescue it.
    CHECK(take_slot(repetition, watch, {.abandon_above = 0.1}).repetitions == 1);
    CHECK(runs == 3);
}

TEST_CASE("disturbance is passed on, and the real clock moves forward in steps") {
    FakeStopwatch watch;
    watch.disturb = true;
    CHECK(take_slot({[&] { watch.time += 1e-3; }, {}}, watch, {}).disturbed);
    SystemStopwatch real;
    const double start = real.now();
    CHECK(real.now() >= start);
    CHECK(real.resolution() > 0.0);
}

TEST_CASE("disturbed slots are replaced, at most four of them, unless they are long") {
    const auto taken = [](int wanted, const std::vector<int>& disturbed, double seconds = 1e-3) {
        std::vector<Slot> slots;
        while (needs_slot(slots, wanted)) {
            const int at = static_cast<int>(slots.size());
            slots.push_back(
                {seconds, 1, std::find(disturbed.begin(), disturbed.end(), at) != disturbed.end()});
        }
        return slots.size();
    };
    CHECK(taken(8, {}) == 8);
    CHECK(taken(8, {0}) == 9);
    CHECK(taken(8, {0, 8}) == 10);
    CHECK(taken(8, {0, 1, 2, 3}) == 12);
    CHECK(taken(8, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}) == 12);
    CHECK(taken(1, {}) == 1);
    CHECK(taken(1, {0}) == 2);
    CHECK(taken(1, {0, 1, 2, 3, 4, 5, 6}) == 5);
    CHECK(taken(0, {}) == 0);
    // Not of what takes so long that it is disturbed again.
    CHECK(taken(8, {0, 1, 2, 3}, 0.2) == 8);
    CHECK(taken(8, {0, 1, 2, 3}, 0.1) == 8);
    // One slow slot makes nothing long.
    CHECK(needs_slot(std::vector<Slot>{{0.2, 1, true}, {0.05, 1, false}}, 2));
    CHECK_FALSE(needs_slot(std::vector<Slot>{{0.2, 1, true}, {0.15, 1, false}}, 2));
    CHECK(taken(8, {0, 1, 2, 3}, 0.05) == 12);
}
