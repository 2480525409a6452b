#include "kernels/probe/growing_window.h"

#include <vector>

#include "tests/support/catch.h"

using namespace rooftune::probe;

namespace {

struct Tried {
    Window window;
    std::vector<int> repetitions;
};

// What a device does of which each repetition takes so long, and each launch besides.
Tried on_device(double each, double launch, const Aim& aim) {
    Tried tried;
    tried.window = growing_window(1e6, aim, [&](int repetitions) {
        tried.repetitions.push_back(repetitions);
        REQUIRE(tried.repetitions.size() < 60);
        return launch + each * repetitions;
    });
    return tried;
}

}  // namespace

TEST_CASE("a device's window grows at each try and ends, whatever a repetition takes") {
    for (double each = 1e-9; each < 1.0; each *= 1.07) {
        for (const double launch : {0.0, 5e-6}) {
            for (const double hint : {0.0, 1e3, 1e9, 1e15}) {
                const Tried tried = on_device(each, launch, {.seconds = 1e-3, .rate_hint = hint});
                CAPTURE(each, launch, hint);
                for (std::size_t i = 1; i < tried.repetitions.size(); ++i)
                    CHECK(tried.repetitions[i] > tried.repetitions[i - 1]);
                CHECK(tried.window.seconds >= 0.7e-3);
                CHECK(tried.window.repetitions == tried.repetitions.back());
                CHECK(tried.window.rate <= 1e6 / each * (1 + 1e-12));
            }
        }
    }
}

TEST_CASE("one repetition of 0.6 of a device's window is followed by two") {
    CHECK(on_device(0.6e-3, 0.0, {.seconds = 1e-3}).repetitions == std::vector{1, 2});
}

TEST_CASE("a device whose clock stands still ends the window, without a rate") {
    const Tried tried = on_device(0.0, 0.0, {.seconds = 1e-3});
    CHECK(tried.window.rate == 0.0);
    CHECK(tried.repetitions.back() == 1 << 24);
    // And no later than the host has patience for.
    int tries = 0;
    const Window window = growing_window(1.0, {.seconds = 1e-3, .patience = 0.0}, [&](int) {
        const double until = now() + 1e-3;
        while (now() < until) {
        }
        ++tries;
        return 0.0;
    });
    CHECK(tries == 1);
    CHECK(window.rate == 0.0);
}

TEST_CASE("the first run of a fresh kernel is not timed; windows have at least so many repetitions") {
    const Tried tried = on_device(1e-3, 0.0, {.seconds = 1e-3, .least = 16.0, .fresh = true});
    CHECK(tried.repetitions == std::vector{16, 16});
    CHECK(tried.window.repetitions == 16);
}
