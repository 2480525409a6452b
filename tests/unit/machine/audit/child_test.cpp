// Children that answer, crash, hang, leave and chatter; no timing is judged.
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "kernels/runtime/cpu.h"
#include "tests/support/audit_child.h"
#include "tests/support/catch.h"
#include "tests/support/forked.h"
#include "tests/support/process.h"
#include "tuner/base/interrupt.h"
#include "tuner/machine/audit/child.h"
#include "tuner/machine/audit/serve.h"

namespace rooftune::audit::test {
namespace {

using End = ChildAnswer::End;

ChildAnswer shell(const std::string& script, double deadline = 20.0, const Environment& environment = {}) {
    return ask_child("/bin/sh", {"-c", script}, environment, "question", deadline);
}

Peer named(const std::string& name) {
    for (const Peer& peer : faulty_peers()) {
        if (peer.name == name) return peer;
    }
    return {};
}

Case example() {
    Case c;
    c.peer = "right";
    c.kernel = "kernel";
    c.dtype = DType::f32;
    c.threads = 1;
    c.least = {Operations(1.0), Bytes(2.0), Bytes(3.0), Bytes(4.0)};
    c.arguments = {{"key", "value"}};
    return c;
}

Measurement measured(const std::string& peer, double deadline = 20.0) {
    return measure_in_child(ROOFTUNE_AUDIT_CHILD, named(peer), example(), {usable_cpus().front()}, 0.125,
                            deadline);
}

}  // namespace

TEST_CASE("a child gets the question and gives a line") {
    const ChildAnswer answer = shell("read q; echo \"asked: $q\"; echo more");
    CHECK(answer.end == End::answered);
    CHECK(answer.line == "asked: question");
}

TEST_CASE("a child that a signal ends has crashed, and its last words are kept") {
    const ChildAnswer answer = shell("echo oh no >&2; kill -SEGV $$");
    CHECK(answer.end == End::crashed);
    CHECK(answer.detail.find("Segmentation fault") != std::string::npos);
    CHECK(answer.detail.find("oh no") != std::string::npos);
}

TEST_CASE("a child that leaves without an answer has crashed") {
    const ChildAnswer answer = shell("exit 3");
    CHECK(answer.end == End::crashed);
    CHECK(answer.detail == "ended with status 3");
}

TEST_CASE("a child that hangs is killed at its deadline, with what it started") {
    const rooftune::test::TemporaryFolder folder;
    const std::string file = folder / "pid";
    const ChildAnswer answer = shell("sleep 600 & echo $! > " + file + "; wait", 0.5);
    CHECK(answer.end == End::hung);
    CHECK(answer.detail == "killed after 0.5 s");
    const int grandchild = std::atoi(rooftune::test::contents(file).c_str());
    REQUIRE(grandchild > 0);
    // Init reaps it, some time.
    bool gone = false;
    for (int i = 0; i < 2000 && !gone; ++i) {
        std::ifstream stat("/proc/" + std::to_string(grandchild) + "/stat");
        std::string text;
        std::getline(stat, text);
        gone = !stat || text.find(") Z") != std::string::npos;
        if (!gone) usleep(1000);
    }
    CHECK(gone);
}

TEST_CASE("a signal to the whole job is an interruption, although the child's end is seen before it") {
    const int status = rooftune::test::status_of_copy([] {
        watch_for_interrupt();
        const ChildAnswer answer = shell("exec >&-; sleep 0.1; kill -TERM $PPID; kill -TERM $$");
        return answer.end == End::interrupted && answer.detail == "interrupted" ? 1 : 0;
    });
    CHECK(status == 1);
}

TEST_CASE("half a line is no answer") {
    CHECK(shell("printf half").end == End::crashed);
}

TEST_CASE("a program that is not there is not started") {
    const ChildAnswer answer = ask_child("/no/such/program", {}, {}, "question", 1.0);
    CHECK(answer.end == End::not_started);
    CHECK(answer.detail.find("/no/such/program") != std::string::npos);
}

TEST_CASE("the environment of a child: set, replaced and removed") {
    setenv("ROOFTUNE_TEST_A", "old", 1);
    setenv("ROOFTUNE_TEST_B", "old", 1);
    const ChildAnswer answer =
        shell("echo \"$ROOFTUNE_TEST_A/${ROOFTUNE_TEST_B-none}/$ROOFTUNE_TEST_C\"", 20.0,
              {{"ROOFTUNE_TEST_A", "new"}, {"ROOFTUNE_TEST_B", ""}, {"ROOFTUNE_TEST_C", "3"}});
    CHECK(answer.line == "new/none/3");
    unsetenv("ROOFTUNE_TEST_A");
    unsetenv("ROOFTUNE_TEST_B");
}

TEST_CASE("a case goes to the child and its measurement comes back") {
    const Measurement m = measured("right");
    CHECK(m.outcome == Outcome::measured);
    CHECK(m.seconds == 0.25);
    CHECK(m.windows == 7);
    CHECK(m.error == 0.125);
    CHECK(m.detail == "kernel on 1, value");
    REQUIRE(m.amounts);
    CHECK(*m.amounts == example().least);
}

TEST_CASE("faults of a peer are outcomes") {
    CHECK(measured("crash").outcome == Outcome::crashed);
    CHECK(measured("crash").detail.find("about to die") != std::string::npos);
    CHECK(measured("leave").outcome == Outcome::crashed);
    CHECK(measured("hang", 0.5).outcome == Outcome::hung);
    CHECK(measured("throw").outcome == Outcome::failed);
    CHECK(measured("throw").detail == "not on a Sunday");
}

TEST_CASE("what a library prints is not taken for its answer") {
    const Measurement m = measured("chatty");
    CHECK(m.outcome == Outcome::measured);
    CHECK(m.seconds == 0.5);
}

TEST_CASE("peers are found, missing, unknown, or die at the question") {
    const std::vector<int> cpus{usable_cpus().front()};
    const auto find = [&](const std::string& name) {
        return find_peer(ROOFTUNE_AUDIT_CHILD, named(name), cpus);
    };
    CHECK(find("right").ok);
    CHECK(find("right").detail == "version 1");
    CHECK_FALSE(find("missing").ok);
    CHECK(find("missing").detail == "not installed");
    CHECK_FALSE(find("dies").ok);
    CHECK(find("dies").detail.find("Aborted") != std::string::npos);
    Peer unknown;
    unknown.name = "unknown";
    CHECK(find_peer(ROOFTUNE_AUDIT_CHILD, unknown, cpus).detail.find("no peer 'unknown'") !=
          std::string::npos);
}

TEST_CASE("a child of somebody else's does nothing") {
    // Its parent is this test, and the flag names another.
    const ChildAnswer answer = ask_child(ROOFTUNE_AUDIT_CHILD, {kChildFlag, "1"}, {},
                                         R"({"ask":"find","peer":"right","cpus":[0]})", 20.0);
    CHECK(answer.end == End::crashed);
}

}  // namespace rooftune::audit::test
