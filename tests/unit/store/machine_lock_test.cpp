#include "tuner/store/machine_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <memory>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/store/store_fixture.h"

using namespace rooftune;
using test::TemporaryFolder;

TEST_CASE("machine lock: free, taken, free again", "[machine_lock]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("lock");
    const mode_t before = ::umask(0077);
    {
        const MachineLock first({}, path);
        CHECK(first.held());
        CHECK_FALSE(first.waited());
        int asked = 0;
        const MachineLock second([&] { return ++asked < 3; }, path);
        CHECK_FALSE(second.held());
        CHECK(second.waited());
        CHECK(asked == 3);
    }
    ::umask(before);
    const MachineLock third({}, path);
    CHECK(third.held());
    CHECK_FALSE(third.waited());
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0666);  // whatever the umask of the first user
}

TEST_CASE("machine lock: who waits is told for whom, once, and not before a second has passed",
          "[machine_lock]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("lock");
    CHECK_FALSE(MachineLock::holder(path));
    std::vector<std::string> told;
    MachineLock::tell([&](const std::string& text) { told.push_back(text); });
    {
        const MachineLock first({}, path);
        // Systems without /proc/locks do not tell.
        if (const auto who = MachineLock::holder(path)) {
            CHECK(who->pid == ::getpid());
            CHECK_THAT(who->command, Catch::Contains("unit_store"));
        }
        int asked = 0;
        {
            const MachineLock brief([&] { return ++asked < 16; }, path);
        }
        CHECK(told.empty());
        for (int i = 0; i < 2; ++i) {
            asked = 0;
            const MachineLock second([&] { return ++asked < 26; }, path);
            CHECK_FALSE(second.held());
        }
    }
    MachineLock::tell({});
    REQUIRE(told.size() == 1);
    CHECK_THAT(told.front(), Catch::Contains("waiting for") && Catch::Contains("measures on this machine"));
    CHECK_FALSE(MachineLock::holder(path));
}

TEST_CASE("machine lock: who has just had it does not get it before who asked meanwhile", "[machine_lock]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("lock");
    int ends[2], start[2];
    REQUIRE(::pipe2(ends, O_NONBLOCK) == 0);
    REQUIRE(::pipe(start) == 0);
    // Made first: a child that inherits a lock keeps it.
    const pid_t other = test::spawn([&] {
        char go = 0;
        if (::read(start[0], &go, 1) != 1) ::_exit(1);
        const MachineLock lock({}, path);
        if (!lock.waited() || ::write(ends[1], "x", 1) != 1) ::_exit(1);
    });
    auto first = std::make_unique<MachineLock>(std::function<bool()>(), path);
    REQUIRE(::write(start[1], "x", 1) == 1);
    // Until the other one stands in the queue.
    for (bool waits = false; !waits;) {
        const int queue = ::open((path + ".next").c_str(), O_RDONLY | O_CLOEXEC);
        REQUIRE(queue >= 0);
        waits = ::flock(queue, LOCK_EX | LOCK_NB) != 0;
        ::close(queue);
        ::usleep(1000);
    }
    first.reset();
    const MachineLock again({}, path);
    CHECK(again.held());
    char byte = 0;
    CHECK(::read(ends[0], &byte, 1) == 1);
    CHECK(test::ended(other) == 0);
    for (const int end : {ends[0], ends[1], start[0], start[1]}) ::close(end);
}

TEST_CASE("machine lock: one that was stopped while it waited keeps nobody waiting", "[machine_lock]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("lock");
    const int stopped = ::open((path + ".next").c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0666);
    REQUIRE(stopped >= 0);
    REQUIRE(::flock(stopped, LOCK_EX) == 0);
    const double before = MachineLock::waited_seconds();
    // The first finds it out, those after it know and never ask whether to go on waiting.
    int asked = 0;
    for (int i = 0; i < 30; ++i) {
        const MachineLock lock(
            [&] {
                asked += i > 0 ? 1 : 0;
                return true;
            },
            path);
        CHECK(lock.held());
    }
    CHECK(asked == 0);
    CHECK(MachineLock::waited_seconds() - before >= 0.9);
    ::close(stopped);
    const MachineLock after({}, path);
    CHECK_FALSE(after.waited());
}

TEST_CASE("machine lock: who works for the holder does not wait for it", "[machine_lock]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("lock"), other = folder.file("other");
    const auto waits = [](const std::string& file) {
        int asked = 0;
        const MachineLock lock([&] { return ++asked < 3; }, file);
        return !lock.held();
    };
    {
        MachineLock lock({}, path);
        const MachineLock second({}, other);
        CHECK(waits(path));
        lock.lend();
        CHECK_FALSE(waits(path));
        CHECK(waits(other));  // another file is another machine's, or another test's
    }
    const MachineLock lock({}, path);
    CHECK(waits(path));
}

TEST_CASE("machine lock: a folder in which nobody may make the queue's file still has the lock",
          "[machine_lock]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("lock");
    folder.write("lock", "");
    // What cannot be opened as a file, also by root, in the queue's place.
    REQUIRE(::symlink(folder.file("nowhere").c_str(), (path + ".next").c_str()) == 0);
    const MachineLock first({}, path);
    CHECK(first.held());
    int asked = 0;
    const MachineLock second([&] { return ++asked < 3; }, path);
    CHECK_FALSE(second.held());
}

TEST_CASE("machine lock: recovered when the holder dies", "[machine_lock]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("lock");
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t holder = test::spawn([&] {
        const MachineLock lock({}, path);
        if (::write(ends[1], "x", 1) != 1) ::_exit(1);
        ::pause();
    });
    char byte = 0;
    REQUIRE(::read(ends[0], &byte, 1) == 1);
    const MachineLock lock(
        [&] {
            ::kill(holder, SIGKILL);
            return true;
        },
        path);
    CHECK(lock.held());
    CHECK(lock.waited());
    CHECK(test::ended(holder) == 128 + SIGKILL);
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST_CASE("machine lock: where it is, and where it cannot be", "[machine_lock]") {
    const TemporaryFolder folder;
    ::setenv("ROOFTUNE_LOCK", folder.file("named").c_str(), 1);
    CHECK(MachineLock::default_path() == folder.file("named"));
    ::unsetenv("ROOFTUNE_LOCK");
    CHECK_FALSE(MachineLock::default_path().empty());
    CHECK_THROWS_WITH(MachineLock({}, folder.file("none/lock")),
                      Catch::Contains("none/lock") && Catch::Contains("ROOFTUNE_LOCK"));
    // A link that somebody planted in a shared folder is not followed.
    folder.write("victim", "precious");
    REQUIRE(::symlink(folder.file("victim").c_str(), folder.file("link").c_str()) == 0);
    CHECK_THROWS_AS(MachineLock({}, folder.file("link")), EnvironmentError);
    CHECK(folder.read("victim") == "precious");
}
