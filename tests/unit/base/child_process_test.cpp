// Children as they should not be: deaf, talkative, with children of their own. No timing is judged.
#include "tuner/base/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/support/catch.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/base/child_output.h"
#include "tuner/base/clock.h"
#include "tuner/base/process_identity.h"

using namespace rooftune;
using Words = std::vector<std::string>;

namespace {

constexpr double kLong = 60.0;  // seconds: longer than any of this takes

/// A shell script whose standard output is read here.
struct ShellChild {
    ChildProcess process;
    Descriptor output;

    explicit ShellChild(const std::string& script) {
        Pipe out;
        REQUIRE(out.open() == 0);
        REQUIRE(process.start({.words = {"/bin/sh", "-c", script},
                               .descriptors = {{out.write.fd(), STDOUT_FILENO}}}) == 0);
        output = std::move(out.read);
    }
    std::string line() {
        LineReader reader(std::move(output), 1000);
        std::string text;
        CHECK(reader.next(kLong, text) == LineReader::End::line);
        return text;
    }
};

/// Whether the process of this number is gone, or is a corpse that its new parent has yet to bury.
bool gone(const std::string& pid) {
    for (const double until = monotonic_seconds() + kLong; monotonic_seconds() < until;) {
        std::ifstream file("/proc/" + pid + "/stat");
        std::stringstream text;
        text << file.rdbuf();
        char state = '?';
        std::int64_t start = 0;
        if (!parse_process_stat(text.str(), state, start) || state == 'Z') return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

int start_of(const ChildSetup& setup) {
    ChildProcess child;
    return child.start(setup);
}

}  // namespace

TEST_CASE("child: one that ends by itself tells how, and what it used", "[child]") {
    ShellChild child("exit 7");
    const ChildProcess::End end = child.process.end(kLong);
    CHECK(end.by_itself);
    REQUIRE(WIFEXITED(end.status));
    CHECK(WEXITSTATUS(end.status) == 7);
    CHECK(end.usage.ru_maxrss > 0);
    CHECK(child.process.pid() == -1);
    CHECK_FALSE(child.process.end(kLong).by_itself);  // there is none any more
}

TEST_CASE("child: one that ignores every wish is killed, and its children with it", "[child]") {
    ShellChild child("trap '' TERM INT HUP; sleep 600 & echo $!; while :; do sleep 600; done");
    const std::string grandchild = child.line();
    kill(child.process.pid(), SIGTERM);
    CHECK_FALSE(child.process.has_ended());
    const ChildProcess::End end = child.process.end(0.05);
    CHECK_FALSE(end.by_itself);
    CHECK(WIFSIGNALED(end.status));
    CHECK(WTERMSIG(end.status) == SIGKILL);
    CHECK(gone(grandchild));
}

TEST_CASE("child: what one leaves running at its end is killed", "[child]") {
    ShellChild child("sleep 600 & echo $!");
    const std::string grandchild = child.line();
    CHECK(child.process.end(kLong).by_itself);
    CHECK(gone(grandchild));
}

TEST_CASE("child: what it started in other groups and sessions is killed with it", "[child]") {
    // A session of its own, whose leader has a child in a third one.
    ShellChild c("setsid sh -c 'setsid sleep 1000 & echo $! $$; wait' & wait");
    std::istringstream pids(c.line());
    std::string inner, outer;
    pids >> inner >> outer;
    CHECK_FALSE(c.process.end(0.0).by_itself);
    CHECK(gone(inner));
    CHECK(gone(outer));
}

TEST_CASE("child: what keeps it from starting is told by its number", "[child]") {
    const test::TemporaryFolder folder;
    folder.write("plain", "text");
    CHECK(start_of({.words = {"/no/such/program"}}) == ENOENT);
    CHECK(start_of({.words = {"no-such-program-in-path"}}) == ENOENT);
    CHECK(start_of({.words = {folder.file("plain")}}) == EACCES);
    CHECK(start_of({.words = {"true"}, .folder = folder.file("none")}) == ENOENT);
    CHECK(start_of({.words = {"true"}, .descriptors = {{-1, STDOUT_FILENO}}}) == EBADF);
    CHECK(start_of({.words = {"a name", "-c", "exit 0"}, .program = "sh"}) == 0);
}

TEST_CASE("child: it has the descriptors that it is given, and no others", "[child]") {
    const test::TemporaryFolder folder;
    folder.write("three", "three\n");
    folder.write("four", "four\n");
    // These are 3 and 4 here, where nothing else is open, and cross: what one is given must not be
    // overwritten by what the other is.
    const Descriptor four(open(folder.file("four").c_str(), O_RDONLY | O_CLOEXEC));
    const Descriptor three(open(folder.file("three").c_str(), O_RDONLY | O_CLOEXEC));
    // As a library may have opened it: without the flag that closes it.
    const Descriptor leaking(open(folder.file("four").c_str(), O_RDONLY));
    Pipe out;
    REQUIRE(out.open() == 0);
    ChildProcess child;
    // Some shells become the last program of their script, whose descriptors would then be listed.
    const std::string script = "cat /proc/$$/fd/3 /proc/$$/fd/4; ls /proc/$$/fd; :";
    REQUIRE(child.start(
                {.words = {"/bin/sh", "-c", script},
                 .descriptors = {{out.write.fd(), STDOUT_FILENO}, {three.fd(), 3}, {four.fd(), 4}}}) == 0);
    out.write.close();
    LineReader reader(std::move(out.read), 10'000);
    Words lines;
    for (std::string line; reader.next(kLong, line) == LineReader::End::line;) lines.push_back(line);
    CHECK(lines == Words{"three", "four", "0", "1", "2", "3", "4"});
    CHECK(leaking.fd() > STDERR_FILENO);
}

TEST_CASE("child: it has its own environment, and signals as a program expects them", "[child]") {
    sigset_t blocked;
    sigset_t before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const auto pipe_before = signal(SIGPIPE, SIG_IGN);
    const auto child_before = signal(SIGCHLD, SIG_IGN);
    ShellChild child(
        "while read -r key value; do case $key in SigBlk:|SigIgn:) echo $key $value;; esac; "
        "done </proc/self/status; kill -TERM $$; echo deaf");
    LineReader reader(std::move(child.output), 1000);
    std::string line;
    CHECK(reader.next(kLong, line) == LineReader::End::line);
    CHECK(line == "SigBlk: 0000000000000000");
    CHECK(reader.next(kLong, line) == LineReader::End::line);
    CHECK((std::stoull(line.substr(8), nullptr, 16) & ((1ULL << (SIGPIPE - 1)) | (1ULL << (SIGCHLD - 1)))) ==
          0);
    CHECK(reader.next(kLong, line) == LineReader::End::closed);
    // Its status is not lost, although its end was of no interest to anybody before.
    const ChildProcess::End end = child.process.end(kLong);
    CHECK(WIFSIGNALED(end.status));
    CHECK(WTERMSIG(end.status) == SIGTERM);
    signal(SIGCHLD, child_before);
    signal(SIGPIPE, pipe_before);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);

    Pipe out;
    REQUIRE(out.open() == 0);
    ChildProcess other;
    setenv("CHILD_A", "as it was", 1);
    setenv("CHILD_B", "gone", 1);
    setenv("CHILD_C", "kept", 1);
    REQUIRE(other.start({.words = {"/bin/sh", "-c", "echo \"$CHILD_A|${CHILD_B-none}|$CHILD_C\""},
                         .variables = {{"CHILD_A", "two words"}, {"CHILD_B", ""}},
                         .descriptors = {{out.write.fd(), STDOUT_FILENO}}}) == 0);
    out.write.close();
    LineReader variables(std::move(out.read), 1000);
    CHECK(variables.next(kLong, line) == LineReader::End::line);
    CHECK(line == "two words|none|kept");
}

TEST_CASE("child: a SIGCHLD that was ignored is so again when the last child has ended", "[child]") {
    const auto now = [] {
        struct sigaction action {};
        sigaction(SIGCHLD, nullptr, &action);
        return action;
    };
    const auto before = signal(SIGCHLD, SIG_IGN);
    {
        ChildProcess first, second;
        REQUIRE(first.start({.words = {"true"}}) == 0);
        CHECK(now().sa_handler == SIG_DFL);
        REQUIRE(second.start({.words = {"true"}}) == 0);
        first.end(kLong);
        CHECK(now().sa_handler == SIG_DFL);
        CHECK(WIFEXITED(second.end(kLong).status));
        CHECK(now().sa_handler == SIG_IGN);
    }
    CHECK(start_of({.words = {"/no/such/program"}}) == ENOENT);
    CHECK(now().sa_handler == SIG_IGN);

    // The other way to ask for no corpses.
    struct sigaction vanish {};
    vanish.sa_handler = [](int) {};
    vanish.sa_flags = SA_NOCLDWAIT;
    sigaction(SIGCHLD, &vanish, nullptr);
    ChildProcess third;
    REQUIRE(third.start({.words = {"/bin/sh", "-c", "exit 7"}}) == 0);
    CHECK((now().sa_flags & SA_NOCLDWAIT) == 0);
    CHECK(now().sa_handler == vanish.sa_handler);
    CHECK(WEXITSTATUS(third.end(kLong).status) == 7);
    CHECK((now().sa_flags & SA_NOCLDWAIT) != 0);

    // A handler that is installed meanwhile stays.
    signal(SIGCHLD, SIG_IGN);
    ChildProcess fourth;
    REQUIRE(fourth.start({.words = {"true"}}) == 0);
    signal(SIGCHLD, vanish.sa_handler);
    fourth.end(kLong);
    CHECK(now().sa_handler == vanish.sa_handler);
    signal(SIGCHLD, before);
}

TEST_CASE("child: one that somebody else reaps has ended, and its number is nobody's to kill", "[child]") {
    ChildProcess child;
    REQUIRE(child.start({.words = {"/bin/sh", "-c", "exit 7"}}) == 0);
    const pid_t pid = child.pid();
    int status = 0;
    REQUIRE(waitpid(-1, &status, 0) == pid);
    CHECK(child.has_ended());
    const double begun = monotonic_seconds();
    const ChildProcess::End end = child.end(kLong);
    CHECK(monotonic_seconds() - begun < kLong / 2);
    CHECK(end.by_itself);
    CHECK(end.reaped_elsewhere);
    CHECK(end.status == 0);
    CHECK(child.pid() == -1);

    // While it is waited for: a thread that reaps whatever ends.
    REQUIRE(child.start({.words = {"sleep", "0.1"}}) == 0);
    std::thread reaper([] { waitpid(-1, nullptr, 0); });
    CHECK_FALSE(wait_for_end(child, {}, {.until = monotonic_seconds() + kLong, .most = 1}));
    reaper.join();
    CHECK(child.end(kLong).reaped_elsewhere);
}

TEST_CASE("child: it dies with its parent, by whatever the parent dies", "[child]") {
    Pipe out;
    REQUIRE(out.open() == 0);
    const pid_t parent = fork();
    if (parent == 0) {
        ChildProcess child;
        // Where it is not started, nothing is said, and the test below sees the end of this process.
        if (child.start({.words = {"/bin/sh", "-c", "echo $$; exec sleep 600"},
                         .descriptors = {{out.write.fd(), STDOUT_FILENO}}}) == 0)
            pause();
        _exit(0);
    }
    out.write.close();
    LineReader reader(std::move(out.read), 1000);
    std::string child;
    CHECK(reader.next(kLong, child) == LineReader::End::line);
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    CHECK(gone(child));
    CHECK_FALSE(die_with_parent(getpid()));  // nobody is its own parent
}
