// Pauses beside somebody who comes and goes, who never goes, and who is not there.
#include <algorithm>

#include "tests/support/catch.h"
#include "tuner/measure/lull.h"

using namespace rooftune;

namespace {

// Somebody is there from `from` to `until`.
struct Shared {
    double from = 0.0, until = 0.0, time = 0.0, look = 0.03;
    int looks = 0;
    double paused = 0.0, disturbed = 0.0;
    Lull lull{[this] {
                  ++looks;
                  const bool met = there();
                  time += look;
                  return !met && !there();
              },
              [this] { return time; }, [this](double seconds) { time += seconds; }};

    bool there() const { return time >= from && time < until; }
    void turn(double seconds) {
        const bool met = there();
        time += seconds;
        turn(seconds, met || there());
    }
    void turn(double seconds, bool is_disturbed) {
        if (is_disturbed) disturbed += seconds;
        lull.note(seconds, is_disturbed);
    }
    double pause(double most = 10.0) {
        const double took = lull.pause(most);
        paused += took;
        return took;
    }
};

constexpr double kForEver = 1e9;

}  // namespace

TEST_CASE("a pause sleeps often, so that whoever waits for it can be told that nothing hangs") {
    double time = 0.0, heard = 0.0, longest = 0.0;
    int slept = 0;
    const auto hear = [&] {
        longest = std::max(longest, time - heard);
        heard = time;
    };
    Lull lull([&] { return time += 0.03, false; }, [&] { return time; },
              [&](double seconds) {
                  hear();
                  ++slept;
                  time += seconds;
                  hear();
              });
    time = heard = 100.0;
    lull.note(100.0, true);
    CHECK(lull.pause(10.0) > 3.8);
    hear();
    CHECK(slept > 30);
    CHECK(longest < 0.1);
}

TEST_CASE("nobody there: no pause, and no look") {
    Shared m;
    for (int i = 0; i < 10; ++i) {
        m.turn(0.1);
        CHECK(m.pause() == 0.0);
    }
    CHECK(m.looks == 0);
}

TEST_CASE("a short disturbed turn by itself is no burst, two in a row are") {
    Shared m;
    m.until = kForEver;
    for (int i = 0; i < 40; ++i) m.turn(0.05, false);  // which save up for a pause
    for (int i = 0; i < 10; ++i) {
        m.turn(0.05, true);
        CHECK(m.pause() == 0.0);
        m.turn(0.05, false);
        CHECK(m.pause() == 0.0);
    }
    m.turn(0.05, true);
    CHECK(m.pause() == 0.0);
    m.turn(0.05, true);
    CHECK(m.pause() > 0.0);
    // A long one is at once.
    for (int i = 0; i < 40; ++i) m.turn(0.05, false);
    m.turn(0.05, false);
    m.turn(0.2, true);
    CHECK(m.pause() > 0.0);
}

TEST_CASE("a burst passes, and the next turn is undisturbed") {
    Shared m;
    m.until = 1.2;
    m.turn(1.0);
    const double paused = m.pause();
    CHECK(paused > 0.2);
    CHECK(paused < 0.4);
    CHECK_FALSE(m.there());
    // Once for a turn.
    CHECK(m.pause() == 0.0);
}

TEST_CASE("a pause is no longer than what turns have saved, than four seconds, and than it may be") {
    for (const double look : {0.007, 0.015, 0.03, 0.1}) {
        for (const double turn : {0.05, 0.3, 1.0, 100.0}) {
            for (const double most : {10.0, 0.5, 0.0, -1.0}) {
                Shared m;
                m.look = look;
                m.until = kForEver;
                m.turn(turn);
                m.pause(10.0);  // how long a look takes is known from here on
                m.turn(turn);
                const double paused = m.pause(most);
                INFO(look << " s a look, " << turn << " s a turn, at most " << most);
                CHECK(paused <= std::max(0.0, std::min({4.0 * turn, 4.0, most})) + 1e-9);
            }
        }
    }
}

TEST_CASE(
    "pauses together take no longer than twice the turns, and soon a twentieth where they are in vain") {
    for (const double turn : {0.02, 0.1, 0.5, 3.0}) {
        for (const int every : {1, 2, 3}) {
            Shared m;
            m.until = kForEver;
            double turns = 0.0;
            bool too_long = false;
            for (int i = 0; i < 300; ++i) {
                m.time += turn;
                turns += turn;
                m.turn(turn, i % every == 0);
                m.pause();
                too_long = too_long || m.paused > 2.0 * turns + 1e-9;
            }
            INFO(turn << " s a turn, one of " << every << " disturbed");
            CHECK_FALSE(too_long);
            CHECK(m.paused <= 0.06 * turns + 12.0);
            // Who is gone at last is noticed all the same.
            m.until = m.time;
            const int before = m.looks;
            for (int i = 0; i < 400 && m.looks == before; ++i) {
                m.time += turn;
                m.turn(turn, true);
                m.pause();
            }
            CHECK(m.looks > before);
        }
    }
}

TEST_CASE("beside bursts most turns are undisturbed that would not have been") {
    // A second on, a second off.
    const auto share_of_disturbed = [](bool pauses) {
        Shared m;
        int disturbed = 0, all = 0;
        for (; m.time < 300.0; ++all) {
            while (m.time >= m.until) {
                m.from = m.until + 1.0;
                m.until = m.from + 1.0;
            }
            const double before = m.disturbed;
            m.turn(0.2);
            if (m.disturbed > before) ++disturbed;
            if (pauses) m.pause();
        }
        return static_cast<double>(disturbed) / all;
    };
    CHECK(share_of_disturbed(false) > 0.5);
    CHECK(share_of_disturbed(true) < 0.6 * share_of_disturbed(false));
}
