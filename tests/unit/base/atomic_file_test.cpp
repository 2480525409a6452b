#include "tuner/base/atomic_file.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/formats/temporary_folder.h"

using namespace rooftune;
using Catch::Contains;

namespace {

std::string complaint_of(const std::string& path, std::string_view text) {
    try {
        write_atomically(path, text);
    } catch (const EnvironmentError& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("atomic file: new, replaced, empty, and nothing left beside it", "[atomic_file]") {
    const test::TemporaryFolder folder;
    write_atomically(folder.file("a.json"), "one");
    CHECK(folder.read("a.json") == "one");
    write_atomically(folder.file("a.json"), std::string("two\0three", 9));
    CHECK(folder.read("a.json") == std::string("two\0three", 9));
    write_atomically(folder.file("a.json"), "");
    CHECK(folder.read("a.json").empty());
    CHECK(folder.entries() == 1);
}

TEST_CASE("atomic file: mode of the old file and target of a link survive", "[atomic_file]") {
    const test::TemporaryFolder folder;
    folder.write("real", "old");
    REQUIRE(::chmod(folder.file("real").c_str(), 0640) == 0);
    REQUIRE(::symlink("real", folder.file("link").c_str()) == 0);
    write_atomically(folder.file("link"), "new");
    CHECK(folder.read("real") == "new");
    CHECK(std::filesystem::is_symlink(folder.file("link")));
    struct stat status {};
    REQUIRE(::stat(folder.file("real").c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0640);
}

TEST_CASE("atomic file: no such folder, and a folder in the way", "[atomic_file]") {
    const test::TemporaryFolder folder;
    CHECK_THAT(complaint_of(folder.file("none/a.json"), "x"), Contains("none") && Contains("No such file"));
    std::filesystem::create_directory(folder.file("taken"));
    CHECK_THAT(complaint_of(folder.file("taken"), "x"), Contains("is a folder"));
    CHECK(folder.entries() == 1);
}

TEST_CASE("atomic file: a refused write leaves the old file and no temporary", "[atomic_file]") {
    const test::TemporaryFolder folder;
    folder.write("a.json", "old");
    // A limit on file size makes write() fail as a full disk does, also for root.
    std::string message;
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{100'000, 100'000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const std::string said = complaint_of(folder.file("a.json"), std::string(1'000'000, 'x'));
        const bool named =
            said.find("a.json") != std::string::npos && said.find("unchanged") != std::string::npos;
        bool full = false;
        try {
            check_writable(folder.path(), 1'000'000);
        } catch (const EnvironmentError&) {
            full = true;
        }
        ::_exit(named && full ? 0 : 1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(folder.read("a.json") == "old");
    CHECK(folder.entries() == 1);
}

TEST_CASE("atomic file: the check before a long run leaves nothing behind", "[atomic_file]") {
    const test::TemporaryFolder folder;
    CHECK_NOTHROW(check_writable(folder.path()));
    CHECK(folder.entries() == 0);
    CHECK_THROWS_AS(check_writable(folder.file("none")), EnvironmentError);
}

TEST_CASE("atomic file: a folder without write permission", "[atomic_file]") {
    const test::TemporaryFolder folder;
    folder.write("a.json", "old");
    REQUIRE(::chmod(folder.path().c_str(), 0555) == 0);
    // In a child that is not root, since root may write anywhere.
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(2);
        const bool named =
            complaint_of(folder.file("a.json"), "x").find("Permission denied") != std::string::npos;
        bool refused = false;
        try {
            check_writable(folder.path());
        } catch (const EnvironmentError&) {
            refused = true;
        }
        ::_exit(named && refused ? 0 : 1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(folder.read("a.json") == "old");
}

TEST_CASE("atomic file: folders", "[atomic_file]") {
    const test::TemporaryFolder folder;
    make_folder(folder.file("a/b/c"));
    CHECK(std::filesystem::is_directory(folder.file("a/b/c")));
    CHECK_NOTHROW(make_folder(folder.file("a/b/c")));
    folder.write("file", "x");
    CHECK_THROWS_AS(make_folder(folder.file("file/d")), EnvironmentError);
}

TEST_CASE("whether a file can be written is known before it is") {
    const test::TemporaryFolder folder;
    check_can_be_written(folder / "new.txt");
    CHECK(std::filesystem::is_empty(folder.path()));
    CHECK_THROWS_AS(check_can_be_written(folder.path()), EnvironmentError);
    CHECK_THROWS_WITH(check_can_be_written(folder / "none/new.txt"),
                      Catch::Contains(folder / "none") && Catch::Contains("folder that exists"));
    std::ofstream(folder / "old.txt") << "old";
    check_can_be_written(folder / "old.txt");
    CHECK(std::filesystem::file_size(folder / "old.txt") == 3);
}
