// Stores where nothing can be written: a colleague's results, a mounted archive.
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/support/catch.h"
#include "tests/unit/store/small_disk.h"
#include "tests/unit/store/store_fixture.h"
#include "tuner/store/export_store.h"
#include "tuner/store/import_store.h"
#include "tuner/store/prune.h"
#include "tuner/store/store.h"
#include "tuner/store/store_source.h"

using namespace rooftune;
using Catch::Contains;
using test::ended;
using test::example_key;
using test::example_record;
using test::example_variant;
using test::SmallDisk;
using test::spawn;
using test::TemporaryFolder;

namespace {

namespace fs = std::filesystem;

void fill(const std::string& path, int records) {
    Store store(path);
    const JobId id = store.job(example_key());
    const RunId run = store.start_run(id);
    for (int i = 0; i < records; ++i) store.add(id, example_variant(i), example_record(i), run);
    store.finish_run(run, R"({"certificate": {"gap": 0.25}})");
    store.add_history({{0, "m1", "kernel", "abc", "2024-05-31T17:04:59Z", "{}"}});
}

/// A writer that is killed leaves its log.
void leave_log(const std::string& path, int records) {
    fill(path, 1);
    const pid_t child = spawn([&] {
        Store store(path);
        for (int i = 1; i < records; ++i) store.add(1, example_variant(i), example_record(i));
        ::raise(SIGKILL);
    });
    REQUIRE(ended(child) != 0);
    REQUIRE(fs::file_size(path + "-wal") > 0);
}

std::set<std::string> names_in(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
    return names;
}

void check_reading(Store& store, std::size_t records) {
    REQUIRE(store.jobs().size() == 1);
    CHECK(store.jobs()[0].records == static_cast<std::int64_t>(records));
    CHECK(store.records(1).size() == records);
    REQUIRE(store.runs().size() == 1);
    CHECK(store.last_result(1).has_value());
    CHECK(store.lately(example_key(), "$.certificate.gap", 3) == std::vector<std::string>{"0.25"});
    CHECK(store.history().size() == 1);
    CHECK(store.quarantined(1).empty());
    PruneWish all;
    all.newest_too = true;
    CHECK(store.prune_plan(all).record_ids.size() == records);
    std::ostringstream csv;
    store.export_csv(csv);
    CHECK_THAT(csv.str(), Contains(example_variant(0)));
    const TemporaryFolder folder;
    CHECK(store.export_store(folder.file("copy.db")).records == static_cast<std::int64_t>(records));
    CHECK(check_store(folder.file("copy.db")).whole());
}

#define NEEDS_A_DISK(disk)                                         \
    if (!(disk).mounted()) {                                       \
        WARN("skipped: no disk can be mounted here (needs root)"); \
        return;                                                    \
    }

}  // namespace

TEST_CASE("a store on a medium for reading: all that reads works, and what writes says why not",
          "[store][faults][readonly]") {
    SmallDisk disk(std::size_t{8} << 20);
    NEEDS_A_DISK(disk)
    const std::string path = disk.file("rooftune.db");
    fill(path, 20);
    SECTION("as a store is left") {}
    SECTION("without what lies beside it") {
        for (const char* suffix : {".lock", ".mark"}) REQUIRE(fs::remove(path + suffix));
    }
    REQUIRE(disk.make_read_only());
    const auto names = names_in(fs::path(path).parent_path());
    CHECK_THROWS_WITH(Store(path), Contains(path) && Contains("--results"));
    CHECK_THROWS_AS(Store(disk.file("new/rooftune.db")), EnvironmentError);
    CHECK(check_store(path).whole());
    {
        const TemporaryFolder folder;
        StoreSource source(path);
        CHECK(Store(folder.file("other.db")).import_from(source).records.added == 20);
    }
    {
        Store store(path, StoreUse::read);
        check_reading(store, 20);
        CHECK(store.notices().empty());
        CHECK_THROWS_WITH(store.add(1, "x", example_record(1)), Contains(path) && Contains("--results"));
        CHECK_THROWS_AS(store.start_run(1), EnvironmentError);
        JobKey another = example_key();
        another.digest = "another";
        CHECK_THROWS_AS(store.job(another), EnvironmentError);
        CHECK_THROWS_AS(store.supersede(1), EnvironmentError);
        CHECK_THROWS_AS(store.journal_start(1, "x"), EnvironmentError);
        CHECK_THROWS_AS(store.add_history({{0, "m", "k", "r", "", "{}"}}), EnvironmentError);
        CHECK_THROWS_WITH(store.prune({.superseded = true}), Contains("nothing was deleted"));
        check_reading(store, 20);
    }
    CHECK(names_in(fs::path(path).parent_path()) == names);
}

TEST_CASE("a store on a medium for reading: the log of a writer that died is read too",
          "[store][faults][readonly]") {
    SmallDisk disk(std::size_t{8} << 20);
    NEEDS_A_DISK(disk)
    const std::string path = disk.file("rooftune.db");
    leave_log(path, 12);
    SECTION("with the index of the log") {
        REQUIRE(disk.make_read_only());
        Store store(path, StoreUse::read);
        check_reading(store, 12);
    }
    SECTION("without it: refused, never read without the log") {
        REQUIRE(fs::remove(path + "-shm"));
        REQUIRE(disk.make_read_only());
        CHECK_THROWS_WITH(Store(path, StoreUse::read), Contains(path) && Contains("copy it"));
    }
}

TEST_CASE("a store on a medium for reading: what is lost or damaged is told", "[store][faults][readonly]") {
    SmallDisk disk(std::size_t{8} << 20);
    NEEDS_A_DISK(disk)
    const std::string path = disk.file("rooftune.db");
    SECTION("an older copy in its place") {
        fill(path, 5);
        fs::copy_file(path, disk.file("old.db"));
        fill(path, 9);
        fs::rename(disk.file("old.db"), path);
        REQUIRE(disk.make_read_only());
        Store store(path, StoreUse::read);
        REQUIRE(store.notices().size() == 1);
        CHECK_THAT(store.notices()[0], Contains("9 records") && Contains("are gone"));
        CHECK(store.records(1).size() == 5);
    }
    SECTION("a row that is not as it was written") {
        fill(path, 5);
        Database(path, Database::Access::write).run("UPDATE records SET detail = 'other' WHERE id = 2");
        REQUIRE(disk.make_read_only());
        Store store(path, StoreUse::read);
        CHECK(store.records(1).size() == 4);
        REQUIRE(store.notices().size() == 1);
        CHECK_THAT(store.notices()[0], Contains("record 2"));
    }
    SECTION("cut") {
        fill(path, 50);
        fs::resize_file(path, fs::file_size(path) / 2);
        REQUIRE(disk.make_read_only());
        CHECK_THROWS_WITH(Store(path, StoreUse::read), Contains(path) && Contains("copy it"));
    }
    SECTION("no database at all") {
        std::ofstream(path) << "a letter to my aunt, long enough to be taken for the head of a database";
        REQUIRE(disk.make_read_only());
        CHECK_THROWS_WITH(Store(path, StoreUse::read), Contains(path));
    }
}

TEST_CASE("a store in somebody else's folder is read as it stands", "[store][faults][readonly]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("theirs/rooftune.db");
    fill(path, 7);
    REQUIRE(::chmod(folder.path().c_str(), 0755) == 0);
    const bool alone = GENERATE(true, false);  // with its owner at work in it, too
    CAPTURE(alone);
    // The owner stays until this process lets go of the pipe, also when a check below ends the test.
    int pipe[2];
    REQUIRE(::pipe(pipe) == 0);
    const pid_t owner = spawn([&] {
        ::close(pipe[1]);
        Store store(path);
        if (!alone) store.add(1, example_variant(7), example_record(7));
        std::ofstream(folder.file("at work"));
        char none = 0;
        while (!alone && ::read(pipe[0], &none, 1) > 0) continue;
    });
    ::close(pipe[0]);
    if (alone) REQUIRE(ended(owner) == 0);
    for (int waited = 0; waited < 30'000 && !fs::exists(folder.file("at work")); ++waited) ::usleep(1000);
    for (const auto& entry : fs::directory_iterator(folder.file("theirs")))
        ::chmod(entry.path().c_str(), 0444);
    ::chmod(folder.file("theirs").c_str(), 0555);
    // As somebody who is not root, since root may write anywhere.
    const int status = ended(spawn([&] {
        if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(3);
        if (::access(path.c_str(), R_OK) != 0) ::_exit(3);  // a temporary folder that only root may enter
        Store store(path, StoreUse::read);
        if (store.records(1).size() != (alone ? 7 : 8) || !store.notices().empty()) ::_exit(4);
    }));
    ::chmod(folder.file("theirs").c_str(), 0755);
    ::close(pipe[1]);
    if (!alone) ended(owner);
    if (status == 3)
        WARN("skipped: this process may not become another user, or that one may not come here");
    else
        CHECK(status == 0);
}

TEST_CASE("a store that can be written is opened as ever, also to be read", "[store][readonly]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    Store store(path, StoreUse::read);
    CHECK(store.job(example_key()) == 1);
}
