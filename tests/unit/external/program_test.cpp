// Descriptions of programs: how they are read and composed, what their commands become, what a printed time
// is, and the judge of the files that programs write.
#include <cmath>
#include <limits>
#include <map>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tuner/external/compare_texts.h"
#include "tuner/external/declaration.h"
#include "tuner/external/program_description.h"
#include "tuner/external/program_template.h"
#include "tuner/external/program_time.h"

using namespace rooftune;
using namespace rooftune::external;
using Catch::Contains;

namespace {

Declaration described(const std::string& text, bool composed = false) {
    return description_from(lines_of_description(text, composed), "mine.rooftune");
}

template <typename Do>
std::string why(Do&& act) {
    try {
        act();
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "nothing";
}

std::string why_not(const std::string& text, bool composed = false) {
    return why([&] { described(text, composed); });
}

std::vector<std::string> words_of(const std::string& command,
                                  const std::map<std::string, std::string>& values) {
    const Declaration d = described(
        "size n = 5\nparameter tile 1 2 (environment)\nparameter mode a b (environment)\ncommand " + command);
    return CommandTemplate(d, *d.command, "command")
        .words([&](const std::string& name) -> const std::string* {
            const auto found = values.find(name);
            return found == values.end() ? nullptr : &found->second;
        });
}

TimeSource time_source(const std::string& text) {
    const Declaration d = described("command ./bench\ntime " + text);
    return {d, *d.time};
}

double seconds(const std::string& source, const std::string& output) {
    return time_source(source).printed_in(output).seconds;
}

std::string no_time(const std::string& source, const std::string& output) {
    return why([&] { seconds(source, output); });
}

double error(const std::string& expected, const std::string& found, double tolerance = 1e-6) {
    return compare_texts(expected, found, tolerance).error;
}

const double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("a description has an annotation a line; blank lines and those that begin with # are left out") {
    const Declaration d = described(
        "# a program\n\n  size n = 512\r\nparameter tile 8:64:x2\nparameter threads 1 2\n"
        "parameter MODE fast slow (environment)\nwhere tile <= n\nflops 2*n^3\nreads 8*n\narithmetic f64\n"
        "command ./bench {n} {tile}\nbuild make TILE={tile}\ntime printed\nverify out.txt\ntolerance 1e-9");
    CHECK(d.language == Language::program);
    CHECK(d.numbers.at(0).name.line == 3);
    CHECK(d.numbers.at(0).name.column == 8);
    CHECK(d.parameters.at(0).kind == ParameterKind::word);
    CHECK(d.parameters.at(0).values.size() == 4);
    CHECK(d.parameters.at(1).kind == ParameterKind::threads);
    CHECK(d.parameters.at(2).kind == ParameterKind::environment);
    CHECK(d.command->text == "./bench {n} {tile}");
    CHECK(d.build->text == "make TILE={tile}");
    CHECK(d.verify->text == "out.txt");
    // Read once by its runtime, but each run is a process of its own.
    CHECK(why_not("parameter OMP_SCHEDULE static guided (environment)\ncommand ./bench") == "nothing");
}

TEST_CASE("flags make the same description, and messages name the flag") {
    ProgramFlags flags;
    CHECK_FALSE(flags.any());
    flags.command = "./bench {tile} {OPT} {PIN}";
    flags.parameters = {"tile=8:64:x2", "threads=1,2", "OPT=-O2,-O3 -g,"};
    flags.environment = {"MODE=fast,slow"};
    flags.sizes = {"n=512"};
    flags.reals = {"a=2.5"};
    flags.parameters.push_back("PIN 0 0,1 when tile > 8");
    flags.flops = "2*n^3";
    flags.rules = {"tile <= n"};
    flags.time = "t: ([0-9.]+)";
    CHECK(flags.any());
    const std::string text = composed_description(flags);
    CHECK(text ==
          "size n = 512\nreal a = 2.5\nparameter tile 8:64:x2\nparameter threads 1 2\n"
          "parameter OPT -O2 \"-O3 -g\" \"\"\nparameter PIN 0 0,1 when tile > 8\nparameter MODE fast slow "
          "(environment)\nwhere tile <= n\n"
          "flops 2*n^3\ncommand ./bench {tile} {OPT} {PIN}\ntime t: ([0-9.]+)\n");
    CHECK(described(text, true).parameters.size() == 5);
    ProgramFlags commas;
    commas.command = "./bench";
    commas.environment = {"OMP_SCHEDULE=\"dynamic,16\",static,'guided,4'"};
    const std::string scheduled = composed_description(commas);
    CHECK(scheduled == "parameter OMP_SCHEDULE dynamic,16 static guided,4 (environment)\ncommand ./bench\n");
    CHECK(described(scheduled, true).parameters.at(0).values.at(0).text == "dynamic,16");
    CHECK(why_not("parameter tile 8:4\ncommand ./bench {tile}", true) ==
          "--parameter tile: '8:4' is no range of values; write 16:1024:x2 or 1:8 or 0:64:+8");
    CHECK(why_not("parameter MODE a a (environment)\ncommand ./bench", true) ==
          "--environment MODE: the value 'a' is there already; leave it out");
    // And back, for whoever is told how to tune it again.
    ProgramFlags again;
    const std::vector<std::string> words = flags_of_description(text);
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
        const std::string& value = words[i + 1];
        if (words[i] == "--size") again.sizes.push_back(value);
        if (words[i] == "--real") again.reals.push_back(value);
        if (words[i] == "--parameter") again.parameters.push_back(value);
        if (words[i] == "--where") again.rules.push_back(value);
        if (words[i] == "--command") again.command = value;
        if (words[i] == "--flops") again.flops = value;
        if (words[i] == "--time") again.time = value;
    }
    const Declaration d = described(text, true), same = described(composed_description(again), true);
    REQUIRE(same.parameters.size() == d.parameters.size());
    for (std::size_t i = 0; i < d.parameters.size(); ++i) {
        CHECK(same.parameters[i].name.text == d.parameters[i].name.text);
        CHECK(same.parameters[i].kind == d.parameters[i].kind);
        CHECK(same.parameters[i].values.size() == d.parameters[i].values.size());
        CHECK(same.parameters[i].when.has_value() == d.parameters[i].when.has_value());
    }
    CHECK(same.numbers.at(1).value.text == "2.5");
    CHECK(same.rules.at(0).text == "tile <= n");
    CHECK(same.command->text == d.command->text);
    CHECK(same.time->text == d.time->text);
    const auto why_not_composed = [](const ProgramFlags& f) { return why([&] { composed_description(f); }); };
    flags.parameters = {"tile"};
    CHECK_THAT(why_not_composed(flags), Contains("--parameter tile: expected a name and what it is"));
    flags.parameters = {"t=\"it's\" so"};
    CHECK_THAT(why_not_composed(flags), Contains("both kinds of quotes"));
    flags.parameters.clear();
    flags.flops = "n\ncommand rm";
    CHECK_THAT(why_not_composed(flags), Contains("--flops: it goes over several lines"));
    flags.command.clear();
    CHECK_THAT(why_not_composed(flags), Contains("--command is missing"));
}

TEST_CASE("a value is one word of a command or a part of one, whatever it holds") {
    const std::map<std::string, std::string> values{{"n", "5"}, {"tile", "a b; $(rm) {n}"}};
    CHECK(words_of("./bench --n={n} {tile}", values) ==
          std::vector<std::string>{"./bench", "--n=5", "a b; $(rm) {n}"});
    CHECK(words_of("sh -c './bench {n} | tail -1' {{x}}", values) ==
          std::vector<std::string>{"sh", "-c", "./bench 5 | tail -1", "{x}"});
    CHECK(words_of("awk 'BEGIN {{print {n}}}'", values) ==
          std::vector<std::string>{"awk", "BEGIN {print 5}"});
    // A parameter that the variant lacks takes its word with it, and an empty value one of its own.
    CHECK(words_of("./bench --mode={mode} {n}", values) == std::vector<std::string>{"./bench", "5"});
    CHECK(words_of("./bench {mode} x{mode} ''", {{"mode", ""}}) ==
          std::vector<std::string>{"./bench", "x", ""});
}

TEST_CASE("a printed time: the last number of the last line that has one, with its unit") {
    CHECK(seconds("printed", "n 512\ntime 0.25\n") == 0.25);
    CHECK(seconds("printed", "0.5\n\nall done\n") == 0.5);
    CHECK(seconds("printed", "took 3 runs, 12.5 ms") == Approx(12.5e-3));
    CHECK(seconds("printed", "12us\r\n") == Approx(12e-6));
    CHECK(seconds("printed", "7 \u00b5s") == Approx(7e-6));
    CHECK(seconds("printed", "1e3 ns.") == Approx(1e-6));
    CHECK(seconds("printed", "bench2: .5 seconds (user)") == 0.5);
    CHECK(seconds("printed", "+1.5\nv1.x") == 1.5);
    CHECK_THAT(no_time("printed", "nothing to see\n"),
               Contains("it printed no number") && Contains("it printed: nothing to see"));
    CHECK_THAT(no_time("printed", ""), Contains("it printed: nothing"));
    CHECK_THAT(no_time("printed", "1.5 s at 20 GB/s"), Contains("'GB/s', which is no unit of time"));
    CHECK_THAT(no_time("printed", "5 %"), Contains("no unit of time"));
    CHECK_THAT(no_time("printed", "time -0.5"), Contains("-0.5 s"));
    CHECK_THAT(no_time("printed", "time 0.000"), Contains("too few digits"));
    CHECK_THAT(no_time("printed", "time nan"), Contains("no number"));
}

TEST_CASE("a time by a regular expression: its first group, at its last match") {
    CHECK(seconds("'time: ([0-9.]+)'", "time: 1.5\ntime: 2.5 ms\nother: 7\n") == Approx(2.5e-3));
    CHECK(seconds("t=([0-9.e-]+)$", "t=1e-3\nt=2 x\n") == 1e-3);
    CHECK(seconds("^(.*) seconds elapsed", " 0.25 seconds elapsed") == 0.25);
}

TEST_CASE("a number that is cut out of a longer one is no time") {
    for (const char* text :
         {"1:01.2", "took 1:01.2 s", "12,5 s", "1,234 ms", "1.234,5 ms", "2026-11-26 06:07"})
        CHECK_THAT(no_time("printed", text), Contains("its time would be a part of '"));
    CHECK_THAT(no_time("printed", "at 1:01.2\n"), Contains("a part of '1:01.2'"));
    CHECK(seconds("printed", "8 runs, 12.5 ms, 3 s") == 3.0);
    CHECK(seconds("printed", "time:12.5 ms,") == Approx(12.5e-3));
    CHECK(seconds("printed", "n=8,time=12.5") == 12.5);
    // By a pattern the group has the number with its unit, or the number alone, and no more.
    CHECK_THAT(no_time("t ([0-9]+)", "t 1:01.2"), Contains("a part of '1:01.2'"));
    CHECK_THAT(no_time("t (.*)", "t 12,5 s"), Contains("a part of '12,5'"));
    CHECK_THAT(no_time("([0-9]+) ms", "1,234 ms"), Contains("a part of '1,234'"));
    CHECK_THAT(no_time("t ([0-9]+)", "t 12.5"), Contains("a part of '12.5'"));
    CHECK_THAT(no_time(".*([0-9.]+) s", "t 12.5 s"), Contains("a part of '12.5'"));
    CHECK_THAT(no_time("t (.*)", "t 2 s 5 ms"), Contains("'2 s 5 ms', has more than a number and its unit"));
    CHECK_THAT(no_time("t (.*)", "t 2 7"), Contains("has more than a number and its unit"));
    CHECK(seconds("t (.*)", "t 2 ms \nmore") == Approx(2e-3));
    CHECK(seconds("t([0-9.]+) (ms)", "t2.5 ms") == Approx(2.5e-3));
}

TEST_CASE("a pattern that finds nothing, or no number") {
    CHECK_THAT(no_time("t=([0-9]+)", "time 5"), Contains("nothing that it printed matches"));
    CHECK_THAT(no_time("t=(.*)", "t=fast"), Contains("'fast', is no number"));
    CHECK_THAT(why([] { time_source("t=([0-9]+"); }),
               Contains("is no regular expression") && Contains("mine.rooftune:2:6:"));
    CHECK_THAT(why([] { time_source("t=[0-9]+"); }), Contains("has no group"));
}

TEST_CASE("a printed time is at most that of the run") {
    CHECK(why([] { check_printed({1.0, 1e-3}, 1.0); }) == "nothing");
    CHECK(why([] { check_printed({0.01, 0.01}, 0.006); }) == "nothing");  // rounded up
    CHECK_THAT(why([] { check_printed({2.0, 1e-3}, 1.5); }), Contains("longer than the 1.50 s that it ran"));
    CHECK_THAT(why([] { check_printed({1e3, 1.0}, 1.0); }), Contains("in another unit?"));
}

TEST_CASE("the judge of files: numbers within a tolerance, other words exactly") {
    CHECK(error("sum 1.5\n", "sum 1.5\n") == 0.0);
    CHECK(error("sum  1.5\n", "\tsum\r\n1.50000 ") == 0.0);
    CHECK(error("x 1.0", "x 1.0000005") == Approx(0.5));
    CHECK(error("x 1.0", "x 1.000002") > 1.0);
    CHECK(error("x -1.0", "x 1.0") > 1.0);
    CHECK(error("x 1.0", "x 2.0") > 1.0);
    CHECK(error("x 0", "x 1e-300") == kInfinite);
    CHECK(error("x 1.0", "x nan") == kInfinite);
    CHECK(error("x 1.0", "x inf") == kInfinite);
    CHECK(error("x 1.0", "y 1.0") == kInfinite);
    CHECK(error("x 1.0", "x 1.0 2.0") == kInfinite);
    CHECK(error("x 1.0 2.0", "x 1.0") == kInfinite);
    CHECK(error("x", "") == kInfinite);
    CHECK(error("1,2;3", "1,2;3.0000001") == Approx(0.033333).epsilon(1e-3));
    CHECK(error("1,2;3", "1;2;3") == kInfinite);
    CHECK(error("bench2 done", "bench3 done") == kInfinite);
    CHECK(error("a 1e5 b", "a 100000 b") == 0.0);
    CHECK(error("1.0 2.0", "1.0 2.0", 0.0) == 0.0);
    CHECK(error("1.0 2.0", "1.0 2.0000000001", 0.0) == kInfinite);
    CHECK(compare_texts("a\nb 1.5 c\n", "a\nb 2.5 c\n", 1e-6).described ==
          "word 3, in line 2: the first variant wrote '1.5', this one '2.5'");
    CHECK(compare_texts("a b", "a", 1e-6).described ==
          "word 2, in line 1: the first variant wrote 'b', this one the end");
    CHECK(unfit_to_compare_with("x 1\n") == "");
    CHECK(unfit_to_compare_with(" \n") == "it is empty");
    CHECK(unfit_to_compare_with("x 1\ny -NaN\n") == "in line 2 stands -NaN");
}
