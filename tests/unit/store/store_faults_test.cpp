// What may go wrong with a store's file and disk: torn and foreign files, full disks.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/store/small_disk.h"
#include "tests/unit/store/store_fixture.h"
#include "tuner/store/database.h"
#include "tuner/store/salvage.h"
#include "tuner/store/store.h"
#include "tuner/store/store_schema.h"
#include "tuner/store/store_source.h"

using namespace rooftune;
using Catch::Contains;
using test::bytes_of;
using test::ended;
using test::example_key;
using test::example_record;
using test::example_variant;
using test::put_bytes;
using test::spawn;
using test::TemporaryFolder;

namespace {

/// A closed store with this many records of one job, all in the main file.
void fill(const std::string& path, int records) {
    Store store(path);
    const JobId id = store.job(example_key());
    const RunId run = store.start_run(id);
    for (int i = 0; i < records; ++i) store.add(id, example_variant(i), example_record(i), run);
    store.finish_run(run, "{}");
}

/// The files kept aside by a repair.
std::vector<std::string> kept_aside(const TemporaryFolder& folder) {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        if (entry.path().filename().string().find(".broken-") != std::string::npos)
            all.push_back(entry.path().string());
    return all;
}

}  // namespace

TEST_CASE("store: torn and overwritten files are repaired, kept aside and reported", "[store][faults]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    constexpr int kRecords = 300;
    fill(path, kRecords);
    const std::string whole = bytes_of(path);
    REQUIRE(whole.size() > 40'000);
    std::string torn = whole;
    bool job_survives = true;

    SECTION("cut in the middle") {
        torn.resize(whole.size() / 2);
    }
    SECTION("cut inside a page") {
        torn.resize(whole.size() - 5000);
    }
    SECTION("a page of zeros in the middle") {
        std::fill_n(torn.begin() + 12 * 4096, 4096, '\0');
    }
    SECTION("pages of noise") {
        std::mt19937 random(3);
        for (int page : {11, 13, 14})
            std::generate_n(torn.begin() + page * 4096, 4096, [&] { return static_cast<char>(random()); });
    }
    SECTION("the first page is gone") {
        std::fill_n(torn.begin(), 4096, '\0');
        job_survives = false;
    }
    SECTION("not a database at all") {
        torn = "these are not the pages you are looking for\n";
        job_survives = false;
    }
    put_bytes(path, torn);

    {
        Store store(path);
        REQUIRE(store.notices().size() == 1);
        CHECK_THAT(store.notices()[0], Contains(path + " was damaged") && Contains(".broken-"));
        if (job_survives) {
            const auto records = store.records(store.job(example_key()));
            INFO(store.notices()[0]);
            CHECK(records.size() > 20);
            CHECK(records.size() < kRecords);
            for (const auto& stored : records)
                CHECK(stored.variant == example_variant(std::stoi(stored.record.variant.at("chunk"))));
        } else {
            CHECK(store.jobs().empty());
        }
        // The repaired store takes records again.
        const JobId id = store.job(example_key());
        store.add(id, "new", example_record());
        CHECK(store.records(id).back().variant == "new");
    }
    REQUIRE(kept_aside(folder).size() == 1);
    CHECK(bytes_of(kept_aside(folder)[0]) == torn);
    CHECK(Store(path).notices().empty());
}

TEST_CASE("store: the report of a repair says how much is known to be lost", "[store][faults]") {
    CHECK(SalvageReport{"p.broken", 1, 1, 10, 0, false}.sentence("p") ==
          "p was damaged: 10 records of 1 job were kept, none is lost; the damaged file is kept as p.broken");
    CHECK_THAT((SalvageReport{"", 2, 0, 0, 3, false}.sentence("p")),
               Contains("of 2 jobs were kept, 3 could not be read"));
    CHECK_THAT((SalvageReport{"", 0, 0, 0, 3, true}.sentence("p")), Contains("at least 3 could not be read"));
    CHECK_THAT((SalvageReport{"", 0, 0, 0, 0, true}.sentence("p")), Contains("cannot be told"));

    SalvageReport history{"p.broken", 1, 1, 10, 0, false};
    history.history = 4;
    CHECK_THAT(history.sentence("p"),
               Contains("none is lost; 4 entries of history were kept, none is lost;"));
    history.lost_history = 2;
    CHECK_THAT(history.sentence("p"), Contains("4 entries of history were kept, 2 could not be read"));
    history.torn_history = true;
    CHECK_THAT(history.sentence("p"), Contains("at least 2 could not be read"));

    // A hole in the middle is counted exactly, because both ends can be reached.
    const TemporaryFolder folder;
    fill(folder.file("rooftune.db"), 300);
    std::string torn = bytes_of(folder.file("rooftune.db"));
    std::fill_n(torn.begin() + 12 * 4096, 4096, 'z');
    put_bytes(folder.file("rooftune.db"), torn);
    Store store(folder.file("rooftune.db"));
    const auto kept = store.records(store.job(example_key())).size();
    REQUIRE(kept < 300);
    REQUIRE(store.notices().size() == 1);
    CHECK_THAT(store.notices()[0], Contains(" " + std::to_string(kept) + " records of 1 job were kept, " +
                                            std::to_string(300 - kept) + " could not be read"));
}

TEST_CASE("store: every single page destroyed in turn is survived", "[store][faults]") {
    const TemporaryFolder source;
    fill(source.file("rooftune.db"), 80);
    const std::string whole = bytes_of(source.file("rooftune.db"));
    std::mt19937 random(5);
    for (std::size_t page = 0; page * 4096 < whole.size(); ++page) {
        INFO("page " << page);
        const TemporaryFolder folder;
        std::string torn = whole;
        std::generate_n(torn.begin() + static_cast<std::ptrdiff_t>(page * 4096), 4096,
                        [&] { return static_cast<char>(random()); });
        put_bytes(folder.file("rooftune.db"), torn);
        Store store(folder.file("rooftune.db"));
        const JobId id = store.job(example_key());
        for (const auto& stored : store.records(id))
            CHECK(stored.record.slots[0].seconds == 1.25e-5 + std::stoi(stored.record.variant.at("chunk")));
        CHECK_NOTHROW(store.add(id, "new", example_record()));
    }
}

TEST_CASE("store: the definitions are those that SQLite keeps of a new store", "[store][faults]") {
    const TemporaryFolder folder;
    fill(folder.file("rooftune.db"), 1);
    Database database(folder.file("rooftune.db"), Database::Access::read);
    Statement kept = database.prepare("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL");
    std::map<std::string, std::string> found;
    while (kept.step()) found[kept.text(0)] = kept.text(1);
    CHECK(found.size() == 8);
    CHECK(definitions_of(kStoreVersion) == found);
    CHECK(definitions_of(1).size() == 6);
}

TEST_CASE("store: a letter that changed within a table's definition costs no record", "[store][faults]") {
    const TemporaryFolder source;
    fill(source.file("rooftune.db"), 20);
    const std::string whole = bytes_of(source.file("rooftune.db"));
    const auto opened_with = [&](std::size_t at,
                                 const std::function<void(const Store&, std::size_t)>& judge) {
        const TemporaryFolder folder;
        std::string torn = whole;
        torn[at] = static_cast<char>(torn[at] ^ 1);
        put_bytes(folder.file("rooftune.db"), torn);
        // Looking changes nothing, and says what it is.
        CHECK_FALSE(check_store(folder.file("rooftune.db")).whole());
        CHECK(bytes_of(folder.file("rooftune.db")) == torn);
        Store store(folder.file("rooftune.db"));
        const JobId id = store.job(example_key());
        judge(store, store.records(id).size());
        CHECK_NOTHROW(store.add(id, "new", example_record()));
        CHECK(Store(folder.file("rooftune.db")).notices().empty());
    };
    const std::size_t column = whole.find("superseded INTEGER");
    REQUIRE(column < 2 * 4096);
    opened_with(column, [](const Store& store, std::size_t records) {
        CHECK(records == 20);
        REQUIRE(store.notices().size() == 1);
        CHECK_THAT(store.notices()[0], Contains("20 records of 1 job were kept, none is lost"));
    });
    // Wherever it is: in a type, a comment, a name. A table whose own name changed is not found again.
    for (const auto& [name, statement] : definitions_of(kStoreVersion)) {
        const std::size_t begin = whole.find(statement);
        REQUIRE(begin != std::string::npos);
        const bool is_table = statement.starts_with("CREATE TABLE");
        for (std::size_t at = begin + (is_table ? 14 : 0); at < begin + statement.size(); at += 151) {
            INFO(name << ": byte " << at - begin << " of " << statement);
            opened_with(at, [](const Store&, std::size_t records) { CHECK(records == 20); });
        }
    }
}

TEST_CASE("store: a damaged one of a later version is left as it is", "[store][faults]") {
    const TemporaryFolder folder;
    fill(folder.file("rooftune.db"), 20);
    std::string cut = bytes_of(folder.file("rooftune.db"));
    cut[63] = 3;  // the last byte of PRAGMA user_version
    cut.resize(cut.size() - 4096);
    put_bytes(folder.file("rooftune.db"), cut);
    CHECK_THROWS_AS(Store(folder.file("rooftune.db")), InputError);
    CHECK_THROWS_WITH(repair_store(folder.file("rooftune.db")), Contains("of version 3"));
    CHECK(bytes_of(folder.file("rooftune.db")) == cut);
    CHECK(kept_aside(folder).empty());
    CHECK(definitions_of(3) == definitions_of(kStoreVersion));
    CHECK(definitions_of(0).empty());
}

TEST_CASE("store: what a check says of a device is no damage", "[store][faults]") {
    CHECK(is_of_the_device("*** in database main ***\nPage 9: unable to get the page. error code=8458"));
    CHECK(is_of_the_device("Page 3: unable to get the page. error code=266"));
    CHECK(is_of_the_device("Tree 4 page 7: failed to get page 12"));
    CHECK_FALSE(is_of_the_device("Page 3: unable to get the page. error code=11"));
    CHECK_FALSE(is_of_the_device("row 3 missing from index records_of_job"));
    CHECK_FALSE(is_of_the_device("ok"));
}

TEST_CASE("store: killed before it had a table it is whole, and what was begun is undone",
          "[store][faults]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    // As SQLite leaves it: the journal says how long the file was, and holds no page of it.
    const pid_t child = spawn([&] {
        Database database(path, Database::Access::write);
        database.run("PRAGMA cache_size = 1; BEGIN; CREATE TABLE t (x)");
        for (int i = 0; i < 300; ++i) database.run("INSERT INTO t VALUES (zeroblob(4000))");
        std::_Exit(0);
    });
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(std::filesystem::exists(path + "-journal"));
    REQUIRE(std::filesystem::file_size(path) > 0);
    const std::string as_left = bytes_of(path);
    // Without our lock beside it, it is another program's, and nothing of it is touched.
    CHECK_THROWS(check_store(path));
    CHECK(bytes_of(path) == as_left);
    put_bytes(path + ".lock", "");
    CHECK(check_store(path).whole());
    CHECK(check_store(path).version == 0);
    Store store(path);
    // What was undone leaves a file without a byte, of which nobody knows whether there was more.
    for (const std::string& notice : store.notices())
        CHECK_THAT(notice, Contains("was a file without a byte"));
    CHECK(store.jobs().empty());
}

TEST_CASE("store: a changed byte inside a record is found by its checksum", "[store][faults]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    fill(path, 10);
    std::string bytes = bytes_of(path);
    const auto place = bytes.find("[[3.0000125,100");  // the slots of record 4
    REQUIRE(place != std::string::npos);
    bytes[place + 2] = '1';
    put_bytes(path, bytes);
    Store store(path);
    CHECK(store.notices().empty());  // SQLite's own structure is whole
    const auto records = store.records(store.job(example_key()));
    CHECK(records.size() == 9);
    REQUIRE(store.notices().size() == 1);
    CHECK_THAT(store.notices()[0], Contains("record 4: its checksum") && Contains("left out"));
    std::ostringstream csv;
    store.export_csv(csv);
    CHECK_THAT(csv.str(), !Contains(",4,2024"));
}

TEST_CASE("store: a repair carries no record over whose checksum does not fit", "[store][faults]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    fill(path, 300);
    std::string bytes = bytes_of(path);
    const auto place = bytes.find("[[3.0000125,100");
    REQUIRE(place != std::string::npos);
    bytes[place + 2] = '1';
    bytes.resize(bytes.size() - 3 * 4096);
    put_bytes(path, bytes);
    Store store(path);
    CHECK(store.notices().size() == 1);
    for (const auto& stored : store.records(store.job(example_key())))
        CHECK(stored.variant != example_variant(3));
    CHECK(store.notices().size() == 1);  // not carried over, so there is nothing to leave out
}

TEST_CASE("store: a torn write-ahead log costs its last commits at most", "[store][faults]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    CHECK(ended(spawn([&] {
              Store store(path);
              const JobId id = store.job(example_key());
              for (int i = 0; i < 50; ++i) store.add(id, example_variant(i), example_record(i));
              std::raise(SIGKILL);  // leaves the log behind
          })) == 128 + SIGKILL);
    std::string log = bytes_of(path + "-wal");
    REQUIRE(log.size() > 10'000);
    log.resize(log.size() - 5000);
    put_bytes(path + "-wal", log);
    std::filesystem::remove(path + "-shm");
    Store store(path);
    const auto records = store.records(store.job(example_key()));
    CHECK(records.size() >= 47);
    CHECK(records.size() < 50);
    CHECK(records.back().variant == example_variant(static_cast<int>(records.size()) - 1));
}

TEST_CASE("store: a damaged store that another process has open is left alone", "[store][faults]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    put_bytes(path, "not a database");
    const int lock = ::open((path + ".lock").c_str(), O_RDWR | O_CREAT, 0666);
    REQUIRE(lock >= 0);
    REQUIRE(::flock(lock, LOCK_SH) == 0);
    CHECK_THROWS_WITH(Store(path), Contains("another process has it open"));
    CHECK(bytes_of(path) == "not a database");
    ::close(lock);
    CHECK(Store(path).notices().size() == 1);
}

TEST_CASE("store: two processes that both find it damaged repair it once", "[store][faults]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    fill(path, 100);
    std::string torn = bytes_of(path);
    torn.resize(torn.size() - 9000);
    put_bytes(path, torn);
    std::vector<pid_t> children;
    for (int child = 0; child < 2; ++child)
        children.push_back(spawn([&] {
            Store store(path);
            store.add(store.job(example_key()), "child" + std::to_string(child), example_record());
        }));
    for (const pid_t child : children) CHECK(ended(child) == 0);
    CHECK(kept_aside(folder).size() == 1);
    Store store(path);
    std::set<std::string> there;
    for (const auto& stored : store.records(store.job(example_key()))) there.insert(stored.variant);
    CHECK(there.contains("child0"));
    CHECK(there.contains("child1"));
    CHECK(there.size() > 20);
}

TEST_CASE("store: versions", "[store][faults]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    SECTION("an empty file is version 0 and is migrated") {
        put_bytes(path, "");
        CHECK(Store(path).jobs().empty());
        Database database(path, Database::Access::read);
        CHECK(database.integer("PRAGMA user_version") == kStoreVersion);
        CHECK(database.text("PRAGMA journal_mode") == "wal");
    }
    SECTION("an empty database is version 0 and is migrated") {
        Database(path, Database::Access::write).run("CREATE TABLE t (x); DROP TABLE t");
        CHECK(Store(path).jobs().empty());
    }
    SECTION("a newer one is refused with file and versions, and not touched") {
        fill(path, 3);
        Database(path, Database::Access::write).run("PRAGMA user_version = 7");
        CHECK_THROWS_AS(Store(path), InputError);
        CHECK_THROWS_WITH(Store(path),
                          Contains(path) && Contains("version 1") && Contains("found version 7"));
        CHECK(Database(path, Database::Access::read).integer("SELECT count(*) FROM records") == 3);
        CHECK(kept_aside(folder).empty());
    }
    SECTION("another program's database is refused and not touched") {
        Database(path, Database::Access::write).run("CREATE TABLE bookmarks (url TEXT)");
        CHECK_THROWS_AS(Store(path), InputError);
        CHECK_THROWS_WITH(Store(path), Contains("another program"));
        Database(path, Database::Access::write).run("INSERT INTO bookmarks VALUES ('x')");
    }
}

TEST_CASE("store: a folder that cannot be written", "[store][faults]") {
    const TemporaryFolder folder;
    folder.write("file", "x");
    CHECK_THROWS_AS(Store(folder.file("file/rooftune.db")), EnvironmentError);
    std::filesystem::create_directory(folder.file("taken.db"));
    CHECK_THROWS_AS(Store(folder.file("taken.db")), EnvironmentError);

    // As somebody who is not root, since root may write anywhere.
    REQUIRE(::chmod(folder.path().c_str(), 0755) == 0);
    std::filesystem::create_directory(folder.file("locked"));
    REQUIRE(::chmod(folder.file("locked").c_str(), 0555) == 0);
    fill(folder.file("old.db"), 3);
    REQUIRE(::chmod(folder.file("old.db").c_str(), 0444) == 0);
    const std::string before = bytes_of(folder.file("old.db"));
    CHECK(ended(spawn([&] {
              if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(3);
              for (const char* name : {"locked/rooftune.db", "locked/deeper/rooftune.db", "old.db"}) {
                  bool refused = false;
                  try {
                      Store store(folder.file(name));
                      store.job(example_key());
                  } catch (const EnvironmentError& error) {
                      refused = std::string(error.what()).find(folder.path()) != std::string::npos;
                  }
                  if (!refused) ::_exit(4);
              }
          })) == 0);
    CHECK(bytes_of(folder.file("old.db")) == before);
}

TEST_CASE("store: a small disk that fills up stops with a reason and keeps what was there",
          "[store][faults]") {
    test::SmallDisk disk(std::size_t{1} << 20);
    if (!disk.mounted()) {
        WARN("skipped: no disk can be mounted here (needs root)");
        return;
    }
    const std::string path = disk.file("rooftune.db");
    fill(path, 20);
    int added = 0;
    {
        Store store(path);
        const JobId id = store.job(example_key());
        try {
            for (; added < 100'000; ++added) store.add(id, example_variant(added), example_record(added));
            FAIL_CHECK("the disk did not fill up");
        } catch (const EnvironmentError& error) {
            CHECK_THAT(error.what(), Contains(path) && Contains("--results"));
        }
        CHECK(added > 50);
        CHECK(static_cast<int>(store.records(id).size()) == 20 + added);
    }
    CHECK(check_store(path).whole());
    Store store(path);
    CHECK(store.notices().empty());
    CHECK(static_cast<int>(store.records(store.job(example_key())).size()) == 20 + added);
}

TEST_CASE("store: a full disk stops with a reason and keeps what was there", "[store][faults]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    fill(path, 20);
    // A limit on file size makes writes fail as a full disk does.
    CHECK(ended(spawn([&] {
              Store store(path);
              const JobId id = store.job(example_key());
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{200'000, 200'000};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              int added = 0;
              try {
                  for (; added < 10'000; ++added)
                      store.add(id, example_variant(added), example_record(added));
              } catch (const EnvironmentError& error) {
                  const std::string said = error.what();
                  if (said.find(path) == std::string::npos || said.find("--results") == std::string::npos)
                      ::_exit(5);
              }
              if (added == 0 || added == 10'000) ::_exit(6);
              // Reading still works, and every record whose add() returned is there.
              if (static_cast<int>(store.records(id).size()) != 20 + added) ::_exit(7);
          })) == 0);
    Store store(path);
    CHECK(store.notices().empty());
    const auto records = store.records(store.job(example_key()));
    CHECK(records.size() > 20);
}
