// Older stores: what users have on their disks is read for ever.
#include <fstream>
#include <sstream>

#include "tests/support/catch.h"
#include "tests/unit/store/small_disk.h"
#include "tests/unit/store/store_fixture.h"
#include "tuner/store/database.h"
#include "tuner/store/store.h"
#include "tuner/store/store_schema.h"

using namespace rooftune;
using Catch::Contains;
using test::ended;
using test::example_key;
using test::example_record;
using test::spawn;
using test::TemporaryFolder;

namespace {

void make_version_1(const std::string& path) {
    std::ifstream stream("tests/unit/store/version_1.sql");
    std::ostringstream sql;
    sql << stream.rdbuf();
    REQUIRE_THAT(sql.str(), Contains("CREATE TABLE jobs") && !Contains("history"));
    Database database(path, Database::Access::write);
    database.run(sql.str());
    REQUIRE(database.integer("PRAGMA user_version") == 1);
}

void check_contents(Store& store) {
    REQUIRE(store.jobs().size() == 1);
    CHECK(store.jobs()[0].key.canonical() == example_key().canonical());
    CHECK(store.job(example_key()) == store.jobs()[0].id);
    const auto records = store.records(1);
    REQUIRE(records.size() == 2);
    CHECK(records[0].variant == "format=sell,chunk=3");
    CHECK(records[1].record.slots[0].seconds == example_record(4).slots[0].seconds);
    REQUIRE(store.runs().size() == 1);
    CHECK(store.runs()[0].result == "{}");
    std::ostringstream csv;
    store.export_csv(csv);
    CHECK_THAT(csv.str(), Contains("chunk=0"));  // superseded ones as well
    CHECK(store.notices().empty());
}

/// Makes the page that holds this text unreadable.
void overwrite_page(const std::string& path, const std::string& text) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    const auto place = bytes.str().find(text);
    REQUIRE(place != std::string::npos);
    REQUIRE(place >= 4096);  // the first page has the schema
    file.seekp(static_cast<std::streamoff>(place / 4096 * 4096));
    file << std::string(4096, 'z');
}

HistoryEntry example_entry(int number = 0) {
    return {0,
            "intel-6-143-8-2t",
            "spmv ship, f64",
            "abc" + std::to_string(number),
            "2024-05-31T17:04:59Z",
            "{\"n\":" + std::to_string(number) + "}"};
}

}  // namespace

TEST_CASE("store: one of version 1 is migrated with all that it holds", "[store][versions]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    make_version_1(path);
    {
        Store store(path);
        check_contents(store);
        CHECK(store.history().empty());
        store.add_history({example_entry(1)});
    }
    Store again(path);
    check_contents(again);
    CHECK(again.history().size() == 1);
    CHECK(Database(path, Database::Access::read).integer("PRAGMA user_version") == kStoreVersion);
}

TEST_CASE("store: several processes may migrate the same store at the same time", "[store][versions]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    make_version_1(path);
    std::vector<pid_t> children;
    for (int i = 0; i < 4; ++i)
        children.push_back(spawn([&, i] { Store(path).add_history({example_entry(i)}); }));
    for (const pid_t child : children) CHECK(ended(child) == 0);
    Store store(path);
    check_contents(store);
    CHECK(store.history().size() == 4);
}

TEST_CASE("store: a damaged one of version 1 is repaired into the present version", "[store][versions]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    make_version_1(path);
    overwrite_page(path, "chunk=1");
    Store store(path);
    REQUIRE(store.notices().size() == 1);
    CHECK_THAT(store.notices()[0], Contains("was damaged") && !Contains("history"));
    store.add_history({example_entry()});
    CHECK(store.history().size() == 1);
}

TEST_CASE("store: one of version 1 that cannot be written says what to do", "[store][versions][readonly]") {
    test::SmallDisk disk(std::size_t{8} << 20);
    if (!disk.mounted()) {
        WARN("skipped: no disk can be mounted here (needs root)");
        return;
    }
    const std::string path = disk.file("rooftune.db");
    make_version_1(path);
    REQUIRE(disk.make_read_only());
    CHECK_THROWS_WITH(Store(path, StoreUse::read), Contains("version 1") && Contains("copy it"));
}

TEST_CASE("history: comes back as it was written, in its order", "[store][history]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    {
        Store store(path);
        store.add_history({});
        CHECK(store.history().empty());
        HistoryEntry undated = example_entry(2);
        undated.at.clear();
        store.add_history({example_entry(1), undated});
    }
    Store store(path);
    const auto all = store.history();
    REQUIRE(all.size() == 2);
    CHECK(all[0].id < all[1].id);
    CHECK(all[0].machine == "intel-6-143-8-2t");
    CHECK(all[0].kernel == "spmv ship, f64");
    CHECK(all[0].revision == "abc1");
    CHECK(all[0].at == "2024-05-31T17:04:59Z");
    CHECK(all[0].entry == "{\"n\":1}");
    CHECK(all[1].at.size() == all[0].at.size());
}

TEST_CASE("history: a changed byte is found by its checksum", "[store][history]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    Store(path).add_history({example_entry(1), example_entry(2), example_entry(3)});
    Database(path, Database::Access::write).run("UPDATE history SET entry = '{\"n\":7}' WHERE id = 2");
    Store store(path);
    const auto all = store.history();
    REQUIRE(all.size() == 2);
    CHECK(all[1].revision == "abc3");
    REQUIRE(store.notices().size() == 1);
    CHECK_THAT(store.notices()[0], Contains("history entry 2") && Contains("left out"));
}

TEST_CASE("history: a repair keeps what is whole and counts what is not", "[store][history]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    std::vector<HistoryEntry> entries;
    for (int i = 0; i < 400; ++i) entries.push_back(example_entry(i));
    Store(path).add_history(entries);
    overwrite_page(path, "{\"n\":200}");
    Store store(path);
    REQUIRE(store.notices().size() == 1);
    const auto kept = store.history().size();
    CHECK(kept > 0);
    CHECK(kept < 400);
    CHECK_THAT(store.notices()[0], Contains(std::to_string(kept) + " entries of history were kept, " +
                                            std::to_string(400 - kept) + " could not be read"));
}
