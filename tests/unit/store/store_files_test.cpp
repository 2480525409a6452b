// The files of a store, removed as far as they can be.
#include "tuner/store/store_files.h"

#include <sys/stat.h>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/store/store_lock.h"
#include "tuner/store/store_mark.h"

using namespace rooftune;

TEST_CASE("store files: one that cannot be removed is told and keeps no other") {
    const test::TemporaryFolder folder;
    const std::string store = folder.file("rooftune.db");
    // A folder that is not empty stays, whoever removes it.
    std::filesystem::create_directories(store + "/inside");
    for (const char* suffix : {"-wal", "-shm", "-journal"})
        folder.write(std::string("rooftune.db") + suffix, "");
    std::error_code error;
    remove_with_log(store, error);
    CHECK(error == std::errc::directory_not_empty);
    CHECK(folder.entries() == 1);
    CHECK_THROWS_AS(remove_with_log(store), std::filesystem::filesystem_error);
    std::filesystem::remove(store + "/inside");
    remove_with_log(store);
    remove_with_log(store);
    CHECK(folder.entries() == 0);
}

TEST_CASE("store files: a link in the place of a lock or a mark is not followed") {
    const test::TemporaryFolder folder;
    folder.write("theirs", "precious");
    for (const char* name : {"lock", "mark", "new"})
        std::filesystem::create_symlink(folder.file(std::string(name) == "new" ? "nothing" : "theirs"),
                                        folder.file(name));
    CHECK_THROWS_AS(StoreLock(folder.file("lock")), EnvironmentError);
    CHECK_THROWS_WITH(StoreLock(folder.file("lock")), Catch::Contains("a link, which is not followed"));
    const MarkFile mark(folder.file("mark")), made(folder.file("new"));
    mark.set(StoreMark{});
    made.set(StoreMark{});
    CHECK_FALSE(mark.read());
    CHECK(folder.read("theirs") == "precious");
    CHECK_FALSE(std::filesystem::exists(folder.file("nothing")));
    // Nor is a pipe waited for.
    REQUIRE(mkfifo(folder.file("pipe").c_str(), 0600) == 0);
    CHECK_FALSE(MarkFile(folder.file("pipe")).read());
}
