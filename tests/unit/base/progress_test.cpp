// The progress line, and when it is drawn: on a replaced terminal and clock.
#include "tuner/base/progress.h"

#include <limits>
#include <string>

#include "tests/support/catch.h"
#include "tuner/base/page_width.h"
#include "tuner/base/standard_error.h"
#include "tuner/base/text_width.h"

using namespace rooftune;
using Catch::Contains;

namespace {

ProgressState running() {
    return {.phase = "searching",
            .best_seconds = 1.403e-3,
            .best_flops_per_second = 6.62e9,
            .space = 5312,
            .excluded = 4702,
            .measured = 142,
            .elapsed_seconds = 21.5,
            .budget_seconds = 60.0,
            .budget_evaluations = 0};
}

struct FakeTerminal {
    double now = 100.0;
    int columns = 80;
    int draws = 0;
    std::string written;

    ProgressTerminal terminal(bool interactive = true) {
        return {.interactive = interactive,
                .columns = [this] { return columns; },
                .write =
                    [this](std::string_view text) {
                        ++draws;
                        written = text;
                    },
                .now = [this] { return now; }};
    }
};

}  // namespace

TEST_CASE("the progress line of probes has neither a best nor a count, and none claims 0:00 left") {
    ProgressState s{.phase = "load, 4 MiB", .elapsed_seconds = 4.0, .budget_seconds = 10.0};
    s.compares = false;
    CHECK(progress_line(s, 80) == "████████░░░░░░░░░░░░ load, 4 MiB · 0:06 left");
    s.elapsed_seconds = 10.0;
    CHECK(progress_line(s, 80) == "████████████████████ load, 4 MiB · finishing");
    s = running();
    s.elapsed_seconds = 75.0;
    CHECK_THAT(progress_line(s, 120), Contains("142 measured · finishing"));
}

TEST_CASE("the progress line says what became of variants, and counts a budget of evaluations in these") {
    ProgressState s = running();
    s.counts = "57 measured + 108 raced out";
    CHECK_THAT(progress_line(s, 120), Contains(" · 57 measured + 108 raced out · ") && !Contains("142"));
    s.budget_evaluations = 200;
    CHECK_THAT(progress_line(s, 120), Contains(" · 142/200 evaluations · "));
}

TEST_CASE("the progress line tells best, share excluded, count and time left") {
    CHECK(progress_line(running(), 120) ==
          "███████░░░░░░░░░░░░░ searching · best 1.40 ms, 6.62 Gflop/s · 89 % excluded · 142 measured · 0:39 "
          "left");
    ProgressState s = running();
    s.budget_seconds = 0.0;
    s.budget_evaluations = 200;
    CHECK_THAT(progress_line(s, 120), Contains("142/200 measured"));
    CHECK_THAT(progress_line(s, 120), Contains("about 0:09 left"));
    s.budget_evaluations = 0;
    CHECK_THAT(progress_line(s, 120), Contains("0:22"));
    CHECK_THAT(progress_line({}, 120), Contains("none yet"));
}

TEST_CASE("the progress line fits every width, and says the most important last") {
    ProgressState s = running();
    s.phase = "行列 searching";
    for (int columns = 1; columns <= 200; ++columns) {
        INFO(columns);
        CHECK(display_width(progress_line(s, columns)) <= columns - 1);
    }
    CHECK_THAT(progress_line(s, 60), Contains("left"));
    CHECK_THAT(progress_line(s, 36), Contains("best 1.40 ms"));
    CHECK(progress_line(s, 12) == "best 1.40…");
    s.has_unit = false;
    s.best_seconds = 1500.0;
    CHECK_THAT(progress_line(s, 36), Contains("best 1500") && !Contains("best 1500 s"));
    CHECK(progress_line(s, 1).empty());
    CHECK(display_width(progress_line(s, 0)) <= 79);
    CHECK(display_width(progress_line(s, -5)) <= 79);
}

TEST_CASE("extreme states give a line") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    for (const double value : {0.0, -1.0, 1e-12, 1e300, inf, nan}) {
        INFO(value);
        ProgressState s = running();
        s.best_seconds = s.best_flops_per_second = s.elapsed_seconds = s.budget_seconds = value;
        const std::string line = progress_line(s, 80);
        CHECK(display_width(line) <= 79);
        CHECK(line.find("nan") == std::string::npos);
        CHECK(line.find("inf") == std::string::npos);
        CHECK(line.find('\n') == std::string::npos);
    }
}

TEST_CASE("nothing is drawn before two seconds, and no more than ten times a second") {
    FakeTerminal fake;
    {
        Progress progress(false, fake.terminal());
        progress.update(running());
        fake.now += 1.9;
        progress.update(running());
        CHECK(fake.draws == 0);
        fake.now += 0.2;
        progress.update(running());
        CHECK(fake.draws == 1);
        CHECK_THAT(fake.written, Catch::Matchers::StartsWith("\r"));
        for (int i = 0; i < 100; ++i) {
            fake.now += 0.01;
            progress.update(running());
        }
        CHECK(fake.draws >= 10);
        CHECK(fake.draws <= 11);
    }
    CHECK(fake.written == "\r\x1b[K");  // cleared at the end
}

TEST_CASE("a run shorter than two seconds leaves no trace") {
    FakeTerminal fake;
    { Progress(false, fake.terminal()).update(running()); }
    CHECK(fake.draws == 0);
}

TEST_CASE("nothing is drawn under --quiet, on a terminal or in a log") {
    for (const bool interactive : {true, false}) {
        FakeTerminal fake;
        {
            Progress progress(true, fake.terminal(interactive));
            fake.now += 100.0;
            progress.update(running());
            progress.clear();
        }
        CHECK(fake.draws == 0);
    }
}

TEST_CASE("a log has a whole line after ten seconds, and then twice a minute") {
    FakeTerminal fake;
    {
        Progress progress(false, fake.terminal(false));
        fake.now += 9.9;
        progress.update(running());
        CHECK(fake.draws == 0);
        fake.now += 0.2;
        progress.update(running());
        CHECK(fake.written == told(progress_words(running()), error_page_width()));
        CHECK(progress_words(running()) ==
              "searching · best 1.40 ms, 6.62 Gflop/s · 89 % excluded · 142 measured · 0:39 left");
        for (int i = 0; i < 100; ++i) {
            fake.now += 0.9;
            progress.update(running());
        }
        CHECK(fake.draws == 3);
        progress.clear();
    }
    // What stands in a log is not taken away.
    CHECK(fake.draws == 3);
}

TEST_CASE("a count and a time in words take the place of those by evaluations; the bar stays") {
    ProgressState s{.phase = "verifying a", .measured = 10, .budget_evaluations = 40};
    s.compares = false;
    s.done = "10 of at most 40 rounds";
    s.time = "12 s, at most 36 s left";
    CHECK(progress_words(s) == "verifying a · 10 of at most 40 rounds · 12 s, at most 36 s left");
    CHECK(progress_line(s, 120) ==
          "█████░░░░░░░░░░░░░░░ verifying a · 10 of at most 40 rounds · 12 s, at most 36 s left");
}

TEST_CASE("a cleared line comes back with the next update") {
    FakeTerminal fake;
    Progress progress(false, fake.terminal());
    fake.now += 3.0;
    progress.update(running());
    progress.clear();
    CHECK(fake.written == "\r\x1b[K");
    progress.clear();
    CHECK(fake.draws == 2);
    fake.now += 1.0;
    progress.update(running());
    CHECK(fake.draws == 3);
}
