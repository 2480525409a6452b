// What children say: lines and heaps, in time, too late, never.
#include "tuner/base/child_output.h"

#include <signal.h>
#include <unistd.h>

#include "tests/support/catch.h"
#include "tests/support/forked.h"
#include "tuner/base/clock.h"
#include "tuner/base/interrupt.h"

using namespace rooftune;
using Read = LineReader::End;

namespace {

constexpr double kPlenty = 60.0;  // seconds: longer than any of this takes

Descriptor started(ChildProcess& child, const std::string& script) {
    Pipe out;
    REQUIRE(out.open() == 0);
    REQUIRE(child.start(
                {.words = {"/bin/sh", "-c", script}, .descriptors = {{out.write.fd(), STDOUT_FILENO}}}) == 0);
    return std::move(out.read);
}

/// What a process of its own makes of it, which was told to stop: its exit status.
template <class Body>
int status_after_interrupt(Body body) {
    return test::status_of_copy([&] {
        watch_for_interrupt();
        raise(SIGINT);
        return body();
    });
}

}  // namespace

TEST_CASE("interrupted: a program's own request to stop is asked for as long as it stands", "[child]") {
    CHECK_FALSE(interrupted());
    bool stop = false;
    {
        const StopRequest request([&] { return stop; });
        CHECK_FALSE(interrupted());
        stop = true;
        CHECK(interrupted());
    }
    CHECK_FALSE(interrupted());
}

TEST_CASE("lines: one after the other, however they arrive, and half a one is none", "[child]") {
    ChildProcess child;
    LineReader reader(started(child, "printf 'a\\nb'; sleep 0.05; printf 'c\\n\\nhalf'"), 1000);
    std::string line;
    for (const char* expected : {"a", "bc", ""}) {
        REQUIRE(reader.next(kPlenty, line) == Read::line);
        CHECK(line == expected);
    }
    CHECK(reader.next(kPlenty, line) == Read::closed);
}

TEST_CASE("lines: who is silent is late, who never ends one says too much", "[child]") {
    ChildProcess child;
    std::string line;
    LineReader silent(started(child, "sleep 600"), 1000);
    CHECK(silent.next(0.05, line) == Read::late);
    ChildProcess other;
    LineReader endless(started(other, "while :; do printf 0123456789; done"), 100'000);
    CHECK(endless.next(kPlenty, line) == Read::too_long);
}

TEST_CASE("lines: a grandchild that holds the pipe open keeps nobody longer than the limit", "[child]") {
    ChildProcess child;
    LineReader reader(started(child, "sleep 600 & exit 0"), 1000);
    std::string line;
    CHECK(reader.next(0.05, line) == Read::late);
    CHECK(child.end(kPlenty).by_itself);
    CHECK(reader.next(kPlenty, line) == Read::closed);  // it is gone with the group
}

TEST_CASE("output: read to the child's end, whoever else holds the pipe; the end is kept", "[child]") {
    ChildProcess child;
    ChildOutput output(started(child, "sleep 600 & i=0; while [ $i -lt 9999 ]; do echo $i; i=$((i+1)); done"),
                       100);
    CHECK_FALSE(wait_for_end(child, {&output}, {monotonic_seconds() + kPlenty, 1'000'000}));
    const ChildProcess::End end = child.end(0.0);
    output.drain();
    CHECK(end.by_itself);
    CHECK(output.seen() == 9999 * 5 - 1110);
    CHECK(output.text().size() == 100);
    CHECK(output.text().substr(90) == "9997\n9998\n");
}

TEST_CASE("output: late, and too much", "[child]") {
    ChildProcess child;
    ChildOutput silent(started(child, "sleep 600"), 100);
    CHECK(wait_for_end(child, {&silent}, {monotonic_seconds() + 0.05, 1000}) == Cut::late);
    ChildProcess other;
    ChildOutput endless(started(other, "while :; do echo 0123456789; done"), 100);
    CHECK(wait_for_end(other, {&endless}, {monotonic_seconds() + kPlenty, 1'000'000}) == Cut::flooded);
    CHECK(endless.text().size() == 100);
}

TEST_CASE("interrupted: no wait goes on, but for what has to be done", "[child]") {
    CHECK(status_after_interrupt([] {
              ChildProcess child;
              LineReader reader(started(child, "sleep 600"), 1000);
              std::string line;
              return reader.next(kPlenty, line) == Read::interrupted ? 1 : 0;
          }) == 1);
    CHECK(status_after_interrupt([] {
              ChildProcess child;
              ChildOutput output(started(child, "sleep 600"), 1000);
              return wait_for_end(child, {&output}, {monotonic_seconds() + kPlenty, 1000}) == Cut::interrupted
                         ? 2
                         : 0;
          }) == 2);
    CHECK(status_after_interrupt([] {
              ChildProcess child;
              ChildOutput output(started(child, "echo done"), 1000);
              wait_for_end(child, {&output}, {monotonic_seconds() + kPlenty, 1000, false});
              child.end(0.0);
              output.drain();
              return output.text() == "done\n" ? 3 : 0;
          }) == 3);
}

TEST_CASE("writing to nobody is told, and ends nobody", "[child]") {
    const auto before = signal(SIGPIPE, SIG_DFL);
    Pipe pipe;
    REQUIRE(pipe.open() == 0);
    CHECK(write_whole(pipe.write, "read\n"));
    pipe.read.close();
    CHECK_FALSE(write_whole(pipe.write, "not read\n"));
    sigset_t waiting;
    sigpending(&waiting);
    CHECK(sigismember(&waiting, SIGPIPE) == 0);
    signal(SIGPIPE, before);
}

TEST_CASE("a file in memory keeps what was written last", "[child]") {
    const Descriptor file = memory_file("test");
    CHECK(tail_of(file, 10).empty());
    REQUIRE(write_whole(file, "one\ntwo\n"));
    CHECK(tail_of(file, 100) == "one\ntwo\n");
    CHECK(tail_of(file, 4) == "two\n");
    CHECK(tail_of(Descriptor(), 4).empty());
    CHECK(one_line("one\ntwo\n\n") == "one two");
}
