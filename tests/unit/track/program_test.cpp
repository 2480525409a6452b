// Programs as arms: how a command is cut into words, what a program prints about itself, and how it ends.
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/base/command_words.h"
#include "tuner/base/execute.h"
#include "tuner/measure/control_loop.h"
#include "tuner/track/printed_number.h"

using namespace rooftune;
using namespace rooftune::track;
using Catch::Contains;
using Words = std::vector<std::string>;
using End = Execution::End;

namespace {

std::string complaint(const std::string& command) {
    try {
        command_words(command, "--command-a");
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

Execution shell(const std::string& script, double limit = 20.0) {
    return execute({"/bin/sh", "-c", script}, limit);
}

}  // namespace

TEST_CASE("a command is cut at blanks; quotes keep them") {
    CHECK(command_words("a", "f") == Words{"a"});
    CHECK(command_words("  a\tb \n c ", "f") == Words{"a", "b", "c"});
    CHECK(command_words("a 'b c' \"d e\"", "f") == Words{"a", "b c", "d e"});
    CHECK(command_words("a'b c'd", "f") == Words{"ab cd"});
    CHECK(command_words("a '' \"\"", "f") == Words{"a", "", ""});
    CHECK(command_words(R"(a\ b "c\"d" 'e\f')", "f") == Words{"a b", "c\"d", "e\\f"});
    CHECK(command_words("sh -c 'x | y > $z; `w` & v'", "f") == Words{"sh", "-c", "x | y > $z; `w` & v"});
    CHECK(command_words(R"(a \$b)", "f") == Words{"a", "$b"});
}

TEST_CASE("a command that is none, or that wants a shell, is refused by name") {
    for (const char* text : {"", "   ", "\t"}) CHECK_THAT(complaint(text), Contains("names no program"));
    for (const char* text : {"a 'b", "a \"b", "'"}) CHECK_THAT(complaint(text), Contains("is not closed"));
    CHECK_THAT(complaint("a\\"), Contains("stands before nothing"));
    for (const char* text : {"a | b", "a>b", "a <b", "a & b", "a;b", "a $b", "a `b`"})
        CHECK_THAT(complaint(text), Contains("means something to a shell") && Contains("--command-a"));
}

TEST_CASE("the last number that a program prints, and what its last digit stands for") {
    const auto value = [](const char* text) {
        return last_number(text).value_or(PrintedNumber{-77.0, 0.0}).value;
    };
    CHECK(value("1.5") == 1.5);
    CHECK(value("took 3 s, then 0.25 s\n") == 0.25);
    CHECK(value("time=1.25s") == 1.25);
    CHECK(value("time: 1.25 seconds (best)\n\n") == 1.25);
    CHECK(value("a [2.5e-3]") == 2.5e-3);
    CHECK(value("+4\n") == 4.0);
    CHECK(value("-4") == -4.0);
    CHECK(value(".5") == 0.5);
    CHECK(value("2. ") == 2.0);
    CHECK(value("3 GFLOP64 nanoseconds info inform") == 3.0);
    CHECK(value("1.5 2024-05-31 1.2.3") == 1.5);
    CHECK(value("1e400") == std::numeric_limits<double>::infinity());
    CHECK(std::isnan(value("time nan")));
    CHECK(value("time -inf") == -std::numeric_limits<double>::infinity());
    for (const char* none : {"", " ", "done", "- . + e5", "v1 x86", "--"}) {
        INFO(none);
        CHECK_FALSE(last_number(none));
    }
    const auto step = [](const char* text) { return last_number(text)->step; };
    CHECK(step("0.12") == Approx(0.01));
    CHECK(step("12") == Approx(1.0));
    CHECK(step("1.2e-5") == Approx(1e-6));
    CHECK(step("1.25E+3s") == Approx(10.0));
    CHECK(step("5e2") == Approx(100.0));
}

TEST_CASE("a program that ends well: its output, and a time that includes its own") {
    const Execution run = shell("echo out; echo err >&2; sleep 0.05; echo 1.5");
    CHECK(run.end == End::exited);
    CHECK(run.status == 0);
    CHECK(run.output == "out\n1.5\n");
    CHECK(run.detail.empty());
    CHECK(run.seconds >= 0.05);
}

TEST_CASE("a program that fails says how, and what it said") {
    const Execution status = shell("echo 'no such\nmatrix' >&2; exit 7");
    CHECK(status.end == End::exited);
    CHECK(status.status == 7);
    CHECK(status.detail == "it ended with status 7; it said: no such matrix");
    const Execution crash = shell("kill -SEGV $$");
    CHECK(crash.end == End::signalled);
    CHECK_THAT(crash.detail, Contains("Segmentation fault"));
}

TEST_CASE("a program that is not there, or is none") {
    for (const char* name : {"/no/such/program", "no-such-program-in-path", "/", "/etc/passwd"}) {
        const Execution run = execute({name}, 5.0);
        INFO(name << ": " << run.detail);
        CHECK(run.end == End::not_started);
        CHECK_THAT(run.detail, Contains("cannot be started"));
    }
    CHECK(execute({}, 5.0).end == End::not_started);
    CHECK(execute({"true"}, 5.0).end == End::exited);  // found in PATH
}

TEST_CASE("arguments arrive as they are, without a shell") {
    const Execution run = execute({"/bin/echo", "a  b", "$HOME", "*", ""}, 5.0);
    CHECK(run.output == "a  b $HOME * \n");
}

TEST_CASE("a program without end is killed at its limit, and all that it started with it") {
    const test::TemporaryFolder folder;
    const Execution run = shell("sleep 300 & echo $! >" + folder.file("pid") + "; wait", 0.4);
    CHECK(run.end == End::hung);
    CHECK_THAT(run.detail, Contains("killed after 0.4 s"));
    CHECK(run.seconds >= 0.4);
    // Its child is gone as well, or is a corpse that its new parent has yet to bury.
    const std::string pid = folder.read("pid");
    REQUIRE(!pid.empty());
    bool alive = true;
    for (int i = 0; i < 100 && alive; ++i) {
        std::ifstream stat("/proc/" + pid.substr(0, pid.size() - 1) + "/stat");
        std::stringstream text;
        text << stat.rdbuf();
        alive = stat && !text.str().empty() && text.str().find(") Z") == std::string::npos;
        if (alive) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    CHECK_FALSE(alive);
}

TEST_CASE("what a program leaves running is killed, and does not hold up its end") {
    const Execution run = shell("sleep 300 & echo done", 60.0);
    CHECK(run.end == End::exited);
    CHECK(run.output == "done\n");
    CHECK(run.seconds < 30.0);
}

TEST_CASE("runaway output ends the program, and of long output the end is kept") {
    const Execution flood = shell("while :; do echo 0123456789012345678901234567890123456789; done", 60.0);
    CHECK(flood.end == End::flooded);
    CHECK_THAT(flood.detail, Contains("16 MiB"));
    const Execution longer = shell("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done", 60.0);
    CHECK(longer.end == End::exited);
    CHECK(longer.output.size() <= (std::size_t{64} << 10));
    CHECK(last_number(longer.output)->value == 19999.0);
}

TEST_CASE("nobody types: a program that reads finds the end of its input") {
    const Execution run = shell("cat; echo end");
    CHECK(run.end == End::exited);
    CHECK(run.output == "end\n");
}

TEST_CASE("the control takes a time, whatever it watches") {
    CHECK(control_from("compute") == ControlKind::compute);
    CHECK(control_from("memory") == ControlKind::memory);
    CHECK_FALSE(control_from("disk"));
    for (const ControlKind kind : {ControlKind::compute, ControlKind::memory}) {
        ControlLoop loop(kind);
        const double seconds = loop.seconds();
        CHECK(std::isfinite(seconds));
        CHECK(seconds > 1e-5);  // the work was not optimised away
    }
}

TEST_CASE("a program runs in the folder that it is given, and is looked for from there") {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "here") << "#!/bin/sh\npwd\n";
    std::filesystem::permissions(folder / "here", std::filesystem::perms::owner_all);
    const Execution run = execute({"./here"}, 5.0, {folder.path()});
    CHECK(run.end == End::exited);
    CHECK(std::filesystem::equivalent(run.output.substr(0, run.output.find('\n')), folder.path()));
    const Execution nowhere = execute({"true"}, 5.0, {folder / "none"});
    CHECK(nowhere.end == End::not_started);
    CHECK_THAT(nowhere.detail, Contains("No such file"));
}

TEST_CASE("a control does as much work as it is asked for") {
    for (const ControlKind kind : {ControlKind::compute, ControlKind::memory})
        CHECK(ControlLoop(kind, 0.1).seconds() > 0.0);
}
