// Pauses beside somebody who comes and goes, who never goes, and who is not there.
#include "tuner/measure/lull.h"
#include "tests/support/catch.h"

using namespace rooftune;

namespace {

// Somebody is there from `from` to `until`. Looks take a hundredth of a second.
struct Shared {
    double from = 0.0, until = 0.0, time = 0.0;
    int looks = 0;
    Lull lull{[this] {
                  ++looks;
                  time += 0.01;
                  return !there();
              },
              [this] { return time; }, [this](double seconds) { time += seconds; }};

    bool there() const { return time >= from && time < until; }
    void turn(double seconds) {
        const bool met = there();
        time += seconds;
        lull.note(seconds, met || there());
    }
};

}  // namespace

TEST_CASE("nobody there: no pause, and no look") {
    Shared m;
    for (int i = 0; i < 10; ++i) {
        m.turn(0.1);
        CHECK(m.lull.pause(10.0) == 0.0);
    }
    CHECK(m.looks == 0);
}

TEST_CASE("a burst passes, and the next turn is undisturbed") {
    Shared m;
    m.until = 0.5;
    m.turn(0.4);
    const double paused = m.lull.pause(10.0);
    CHECK(paused > 0.05);
    CHECK(paused < 0.2);
    CHECK_FALSE(m.there());
    // Once for a turn.
    CHECK(m.lull.pause(10.0) == 0.0);
}

TEST_CASE("a pause is no longer than the turn, than two seconds, and than it may be") {
    Shared m;
    m.until = 1e9;
    m.turn(0.3);
    CHECK(m.lull.pause(10.0) <= 0.3);
    Shared other;
    other.until = 1e9;
    other.turn(100.0);
    CHECK(other.lull.pause(10.0) <= 2.0);
    Shared third;
    third.until = 1e9;
    third.turn(100.0);
    CHECK(third.lull.pause(0.5) <= 0.5);
    Shared fourth;
    fourth.until = 1e9;
    fourth.turn(0.015);
    CHECK(fourth.lull.pause(10.0) == 0.0);
    CHECK(fourth.looks == 0);
}

TEST_CASE("beside somebody who never goes, pauses soon take a tenth of the time at most") {
    Shared m;
    m.until = 1e9;
    double paused = 0.0, turns = 0.0;
    for (int i = 0; i < 100; ++i) {
        m.turn(0.5);
        turns += 0.5;
        paused += m.lull.pause(10.0);
    }
    CHECK(paused < 0.1 * turns);
    // Who is gone at last is believed at once.
    m.until = m.time + 1.0;
    m.turn(1.2);
    m.turn(0.5);
    m.from = m.time;
    m.until = m.time + 0.6;
    m.turn(0.5);
    CHECK(m.lull.pause(10.0) > 0.05);
    CHECK_FALSE(m.there());
}
