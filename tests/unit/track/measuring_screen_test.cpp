// What a command that measures for minutes says meanwhile, on a terminal and a clock that are replaced.
#include "tuner/track/measuring_screen.h"

#include <string>

#include "tests/support/catch.h"

using namespace rooftune;
using Catch::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

struct Log {
    double now = 100.0;
    bool interactive = false;
    std::string written;

    ProgressTerminal terminal() {
        return {.interactive = interactive,
                .columns = [] { return 120; },
                .write = [this](std::string_view text) { written += text; },
                .now = [this] { return now; }};
    }
};

// As it was before it was fitted to the page.
std::string on_one_line(std::string text) {
    for (std::size_t at = 0; (at = text.find("\n  ", at)) != std::string::npos;) text.replace(at, 3, " ");
    return text;
}

}  // namespace

TEST_CASE("where stderr is a log: the estimate at once, then which of how many, and how long it takes") {
    Log log;
    MeasuringScreen screen("verifying", "tuned config", 3, false, log.terminal());
    screen.expects({{1.0, 2.0}, {1.0, 2.0}, {3.0, 2.0}});
    screen.next("wing f64");
    CHECK(log.written.empty());
    screen.measures();
    CHECK(on_one_line(log.written) ==
          "rooftune: verifying 3 tuned configs: rounds in fresh processes, about 1 min 5 s to 4 min 5 s in "
          "all\n");
    log.written.clear();
    screen.measures();
    CHECK(log.written.empty());
    screen.next("cant f64");
    log.now += 12.0;
    screen.stage("its answer on new data");
    CHECK(on_one_line(log.written) ==
          "rooftune: verifying 2 of 3: cant f64, its answer on new data · 12 s so far\n");
    log.written.clear();
    screen.rounds_begin();
    for (int round = 1; round <= 20; ++round) {
        log.now += 2.0;
        screen.rounds(round, 40, 1.4e-3, true);
    }
    CHECK(on_one_line(log.written) ==
          "rooftune: verifying 2 of 3: cant f64 · best 1.40 ms · 15 of at most 40 rounds · 42 s, up to "
          "about 50 s left of this one\n");
}

TEST_CASE("one alone is not counted, and what takes no time is not announced") {
    Log log;
    MeasuringScreen screen("comparing", "pair", 1, false, log.terminal());
    screen.expects({{0.0, 0.05}});
    screen.next("./a \x1b[31m");
    screen.measures();
    CHECK(log.written.empty());
    screen.rounds_begin();
    log.now += 11.0;
    screen.rounds(1, 40, 0.0, false);
    CHECK(on_one_line(log.written) ==
          "rooftune: comparing ./a  [31m · 1 of at most 40 rounds · 11 s, about 1 min 39 s to "
          "7 min 9 s left\n");
}

TEST_CASE("nothing with --quiet; a notice takes the place of the bar, which comes back") {
    Log log;
    MeasuringScreen quiet("verifying", "tuned config", 3, true, log.terminal());
    quiet.expects({{1.0, 2.0}});
    quiet.next("a");
    quiet.measures();
    quiet.notice("something");
    log.now += 100.0;
    quiet.rounds(1, 40, 1.0, true);
    CHECK(log.written.empty());

    Log terminal;
    terminal.interactive = true;
    MeasuringScreen screen("verifying", "tuned config", 3, false, terminal.terminal());
    screen.next("a");
    terminal.now += 3.0;
    screen.rounds(1, 40, 1.0, true);
    CHECK_THAT(terminal.written, Contains("verifying 1 of 3: a") && !Contains("rooftune: "));
    terminal.written.clear();
    screen.notices()("something");
    CHECK_THAT(terminal.written, StartsWith("\r") && EndsWith("rooftune: something\n"));
}

TEST_CASE("what rounds take grows with the repetition, and several verdicts look later") {
    const Wait short_one = wait_of(cost_of_variants({1e-4}, {1e-4})),
               long_one = wait_of(cost_of_variants({1.0}, {1.0}));
    CHECK(short_one.least < short_one.most);
    CHECK(long_one.most > 20.0 * short_one.most);
    // What a process prepares is part of each of its turns.
    CHECK(cost_of_variants({1.0, 2.0}, {1.0, 2.0}).round ==
          Approx(cost_of_variants({1.0}, {1.0}).round + 3 * 2.0));
    CHECK(wait_of(cost_of_programs(0.5, false)).least == Approx(5.0));
    CHECK(wait_of(cost_of_programs(0.5, true)).least == Approx(10.0));
    CHECK(wait_of(cost_of_programs(0.5, true)).most == Approx(20.0));
    const Wait both = wait_of(cost_of_programs(0.5, false)) + 2.0 * wait_of(cost_of_programs(0.5, true));
    CHECK(both.least == Approx(25.0));
    CHECK(both.most == Approx(60.0));
}

TEST_CASE("what is said at the start is the sum of what is done, and of what is left as rounds are done") {
    const Cost cost{3.0, 2.0};
    CHECK(wait_of(cost).least == Approx(23.0));
    CHECK(wait_of(cost).most == Approx(83.0));
    CHECK(wait_of(cost, 4).least == Approx(12.0));
    CHECK(wait_of(cost, 4).most == Approx(72.0));
    CHECK(wait_of(cost, 25).least == 0.0);
    CHECK(wait_of(cost, 40).most == 0.0);
    // Without rounds nothing is open: no range is told.
    Log log;
    MeasuringScreen screen("recording", "tuned config", 2, false, log.terminal());
    screen.expects({{10.0}, {10.0}});
    screen.next("a");
    screen.measures();
    CHECK(on_one_line(log.written) ==
          "rooftune: recording 2 tuned configs: rounds in fresh processes, about 20 s in all\n");
    // What may end at any time is told as the most that it takes.
    Log most;
    MeasuringScreen at_most("recording", "tuned config", 9, false, most.terminal());
    at_most.expects(std::vector<Cost>(9, Cost{.before = 10.0, .at_most = true}));
    at_most.next("a");
    at_most.measures();
    CHECK(on_one_line(most.written) ==
          "rooftune: recording 9 tuned configs: rounds in fresh processes, up to about 1 min 30 s in all\n");
}

TEST_CASE("rounds that take another time than was said are said so once, of all that is to come") {
    Log log;
    MeasuringScreen screen("verifying", "tuned config", 2, false, log.terminal());
    screen.expects({{0.0, 1.0, 10, true}, {0.0, 1.0, 10, true}});
    screen.next("a");
    screen.measures();
    log.written.clear();
    screen.rounds_begin();
    log.now += 9.0;  // the first round verifies, and says nothing of the others
    screen.rounds(1, 40, 1.0, true);
    CHECK_THAT(log.written, !Contains("left"));
    log.now += 1.2;
    screen.rounds(2, 40, 1.0, true);
    CHECK_THAT(log.written, !Contains("longer"));
    screen.next("b");
    log.written.clear();
    screen.rounds_begin();
    log.now += 3.0;
    screen.rounds(1, 40, 1.0, true);
    log.now += 3.0;
    screen.rounds(2, 40, 1.0, true);
    // 16.2 s are over, and 8 to 38 rounds of 3 s are to come.
    CHECK_THAT(
        on_one_line(log.written),
        Contains("rooftune: verifying 2 tuned configs: rounds take longer than expected, about 40 s to "
                 "2 min 10 s in all\n"));
    log.written.clear();
    log.now += 60.0;
    screen.rounds(3, 40, 1.0, true);
    CHECK_THAT(log.written, !Contains("longer"));
}
