// The files of a store, removed as far as they can be.
#include "tuner/store/store_files.h"

#include "tests/support/catch.h"
#include "tests/unit/formats/temporary_folder.h"

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
