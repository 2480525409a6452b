// The progress bar of a tune, and what is printed after it, on a terminal that only remembers.
#include "tuner/command/tune_screen.h"

#include <string>

#include "tests/support/catch.h"

using namespace rooftune;
using Catch::Contains;
using Catch::Matchers::EndsWith;

namespace {

struct Terminal {
    double now = 100.0;
    int columns = 120;
    std::string written;

    ProgressTerminal terminal() {
        return {.interactive = true,
                .columns = [this] { return columns; },
                .write = [this](std::string_view text) { written += text; },
                .now = [this] { return now; }};
    }
};

TuneProgress searching() {
    TuneProgress p;
    p.stage = "search";
    p.best_seconds = 2e-3;
    p.flops_nominal = 4e6;
    p.space = 1000;
    p.excluded = 900;
    p.evaluated = 61;  // finals and contests measure the same variants again
    p.measured = 12;
    p.raced_out = 29;
    p.failed = 1;
    p.budget_seconds = 60.0;
    return p;
}

const std::string kNoLine = "\r\x1b[K";

}  // namespace

TEST_CASE("the bar of a tune is gone when the tune has ended, before its summary is printed") {
    Terminal t;
    TuneScreen screen(false, t.terminal());
    screen.progress(searching());
    t.now += 3.0;
    screen.progress(searching());
    CHECK_THAT(t.written, Contains("search · best 2.00 ms, 2.00 Gflop/s · 90 % excluded · 12 measured + 29 "
                                   "raced out + 1 failed of 1 000"));
    t.columns = 80;
    t.now += 1.0;
    screen.progress(searching());
    CHECK_THAT(t.written,
               Contains("best 2.00 ms, 2.00 Gflop/s · 90 % excluded · 42 of 1 000 tried · 1:00 left"));
    screen.ended();
    CHECK_THAT(t.written, EndsWith(kNoLine));
}

TEST_CASE("the bar of the next problem of a job waits two seconds of its own") {
    Terminal t;
    TuneScreen screen(false, t.terminal());
    screen.progress(searching());
    t.now += 3.0;
    screen.progress(searching());
    screen.ended();
    t.written.clear();
    t.now += 60.0;
    screen.progress(searching());
    t.now += 1.0;
    screen.progress(searching());
    screen.ended();
    CHECK(t.written.empty());
}

TEST_CASE("a tune with --quiet, or one that ends without progress, draws nothing") {
    Terminal t;
    TuneScreen quiet(true, t.terminal());
    quiet.progress(searching());
    t.now += 3.0;
    quiet.progress(searching());
    quiet.notice("not told");
    quiet.ended();
    TuneScreen(false, t.terminal()).ended();
    CHECK(t.written.empty());
}
