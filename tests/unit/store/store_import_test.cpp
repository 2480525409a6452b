// Stores to and from stores: what is merged, what is refused, and that it is all or nothing.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <set>
#include <sstream>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/store/small_disk.h"
#include "tests/unit/store/store_fixture.h"
#include "tuner/store/database.h"
#include "tuner/store/export_store.h"
#include "tuner/store/import_store.h"
#include "tuner/store/store.h"
#include "tuner/store/store_source.h"

using namespace rooftune;
using Catch::Contains;
using test::bytes_of;
using test::ended;
using test::example_key;
using test::example_record;
using test::example_variant;
using test::spawn;
using test::TemporaryFolder;

namespace {

namespace fs = std::filesystem;

JobKey key_on(const std::string& machine) {
    JobKey key = example_key();
    key.machine_id = machine;
    return key;
}

void fill(const std::string& path, const std::string& machine, int from, int to, bool finish = true) {
    Store store(path);
    const JobId id = store.job(key_on(machine));
    const RunId run = store.start_run(id);
    for (int i = from; i < to; ++i) store.add(id, example_variant(i), example_record(i), run);
    if (finish) store.finish_run(run, R"({"certificate": {"space": )" + std::to_string(to) + "}}");
    store.add_history({{0, machine, "kernel", std::to_string(from), "2024-05-31T17:04:59Z", "{}"}});
}

/// All that a store holds, but ids and checksums.
std::string dump(const std::string& path) {
    std::ostringstream text;
    Store store(path);
    const Database database(path, Database::Access::read);
    store.export_csv(text);
    for (const JobSummary& job : store.jobs()) {
        text << job.key.canonical() << job.key.title << job.records << ' ' << job.superseded << '\n';
        for (const RunSummary& run : store.runs(job.id))
            text << run.started << run.ended << run.result << '\n';
        for (const std::string& variant : store.quarantined(job.id)) text << variant << '\n';
    }
    for (const HistoryEntry& e : store.history())
        text << e.machine << e.kernel << e.revision << e.entry << '\n';
    for (const std::string& notice : store.notices()) text << "notice: " << notice << '\n';
    return text.str();
}

ImportReport import(const std::string& from, const std::string& to) {
    StoreSource source(from);
    return Store(to).import_from(source);
}

}  // namespace

TEST_CASE("import: jobs by their keys, records by their contents, and twice changes nothing",
          "[store][import]") {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.db"), b = folder.file("b.db");
    fill(a, "m1", 0, 5);
    fill(a, "m2", 0, 3);
    fill(b, "m1", 3, 8);
    {
        Store store(b);
        store.supersede(1);
        store.add(1, example_variant(0), example_record(0));  // a has it as well, in a run of its own
    }
    const ImportReport first = import(a, b);
    CHECK(first.jobs.added == 1);
    CHECK(first.jobs.known == 1);
    CHECK(first.records.known == 3);  // 3 and 4, which are superseded here and stay so, and 0
    CHECK(first.records.added == 5);
    CHECK(first.runs.added == 2);
    CHECK(first.history.added == 2);
    CHECK(first.machines == std::map<std::string, std::int64_t>{{"m1", 1}, {"m2", 1}});
    CHECK(check_store(b).whole());
    {
        Store store(b);
        REQUIRE(store.jobs().size() == 2);
        CHECK(store.jobs()[0].records == 3);  // 0, 1, 2
        CHECK(store.jobs()[0].superseded == 5);
        CHECK(store.jobs()[1].records == 3);
        CHECK(store.jobs()[1].key.machine_id == "m2");
        CHECK(store.records(2)[0].run == 3);  // their own run, under its number here
    }
    const std::string merged = dump(b);
    const ImportReport again = import(a, b);
    CHECK_FALSE(again.changed());
    CHECK(again.records.known == 8);
    CHECK((dump(b) == merged));
    // And the other way round: then both hold the same.
    const ImportReport back = import(b, a);
    CHECK(back.records.added == 3);
    CHECK(back.jobs.added == 0);
    CHECK(back.superseded == 2);  // 3 and 4
    CHECK(Store(a).jobs()[0].superseded == 5);
    CHECK_FALSE(import(a, b).changed());
    CHECK_FALSE(import(b, a).changed());
}

TEST_CASE("import: what was thrown away since the last import is not resumed from here", "[store][import]") {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.db"), b = folder.file("b.db");
    fill(a, "m1", 0, 5);
    import(a, b);
    {
        Store store(a);
        store.supersede(1);
        store.add(1, example_variant(7), example_record(7));
    }
    const ImportReport report = import(a, b);
    CHECK(report.records.added == 1);
    CHECK(report.superseded == 5);
    CHECK(Store(b).records(1).size() == 1);
    CHECK_FALSE(import(a, b).changed());
}

TEST_CASE("import: equal records of the source are as many as there were", "[store][import]") {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.db"), b = folder.file("b.db");
    {
        Store store(a);
        const JobId id = store.job(example_key());
        for (int i = 0; i < 3; ++i) store.add(id, "same", example_record());
    }
    {
        Store store(b);
        store.add(store.job(example_key()), "same", example_record());
    }
    CHECK(import(a, b).records.added == 2);
    CHECK(import(a, b).records.added == 0);
    CHECK(import(b, a).records.added == 0);
    CHECK(Store(b).records(1).size() == 3);
}

TEST_CASE("import: NaN, infinity, empty and odd texts come through and are known again", "[store][import]") {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.db"), b = folder.file("an odd #name?%41 é.db");
    {
        Store store(a);
        const JobId id = store.job(example_key());
        Record record = example_record();
        record.error = NAN;
        record.slots.clear();
        record.detail = "NUL " + std::string(1, '\0') + " and \"quotes\", é";
        store.add(id, "", record);
        record.error = INFINITY;
        record.prepare_seconds = -0.0;
        store.add(id, "x", record);
    }
    CHECK(import(a, b).records.added == 2);
    CHECK_FALSE(import(a, b).changed());
    CHECK_FALSE(import(b, a).changed());
    CHECK(Store(b).records(1)[0].record.detail == Store(a).records(1)[0].record.detail);
}

TEST_CASE("import: a run that was imported while it ran gets its end", "[store][import]") {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.db"), b = folder.file("b.db"), early = folder.file("early.db");
    fill(a, "m1", 0, 3, false);
    import(a, b);
    Store(a).export_store(early);
    Store(a).finish_run(1, R"({"certificate": {"gap": 0}})");
    const ImportReport report = import(a, b);
    CHECK(report.completed_runs == 1);
    CHECK(report.runs.added == 0);
    CHECK(Store(b).runs()[0].result == R"({"certificate": {"gap": 0}})");
    CHECK(check_store(b).whole());
    CHECK_FALSE(import(a, b).changed());
    // The older picture of it is known, and takes nothing back.
    CHECK_FALSE(import(early, b).changed());
    CHECK(Store(b).runs().size() == 1);
}

TEST_CASE("import: records of two times stand in the order measured", "[store][import]") {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.db"), b = folder.file("b.db");
    const auto add = [](const std::string& path, const std::string& when) {
        Store store(path);
        Record record = example_record();
        record.when = when;
        store.add(store.job(example_key()), "v", record);
    };
    add(a, "2024-01-01T00:00:00Z");
    add(b, "2024-02-01T00:00:00Z");
    import(a, b);
    const auto records = Store(b).records(1);
    REQUIRE(records.size() == 2);
    CHECK(records.back().record.when == "2024-02-01T00:00:00Z");
}

TEST_CASE("import: variants that killed their runs stay quarantined", "[store][import]") {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.db"), b = folder.file("b.db");
    for (int i = 0; i < 2; ++i)
        ended(spawn([&] {
            Store store(a);
            store.journal_start(store.job(example_key()), "bad");
            std::raise(SIGKILL);
        }));
    REQUIRE(Store(a).quarantined(1).size() == 1);
    import(a, b);
    import(a, b);
    CHECK(Store(b).quarantined(1) == std::vector<std::string>{"bad"});
    Store(a).export_store(folder.file("c.db"));
    import(folder.file("c.db"), folder.file("d.db"));
    CHECK(Store(folder.file("d.db")).quarantined(1) == std::vector<std::string>{"bad"});
}

TEST_CASE("import: a store of version 1 is a source as it is", "[store][import]") {
    const TemporaryFolder folder;
    const std::string old = folder.file("old.db");
    {
        std::ifstream sql("tests/unit/store/version_1.sql");
        std::ostringstream text;
        text << sql.rdbuf();
        Database(old, Database::Access::write).run(text.str());
    }
    const std::string before = bytes_of(old);
    CHECK(import(old, folder.file("new.db")).records.added == 5);
    CHECK_FALSE(import(old, folder.file("new.db")).changed());
    CHECK(bytes_of(old) == before);
    CHECK_FALSE(fs::exists(old + "-wal"));
}

TEST_CASE("import: what is no store is refused before the target is touched", "[store][import]") {
    const TemporaryFolder folder;
    const auto refusal = [](const std::string& path) {
        try {
            StoreSource source(path);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    CHECK_THAT(refusal(folder.file("none.db")), Contains("no such file"));
    CHECK_THAT(refusal(folder.path()), Contains("is a folder") && Contains("rooftune.db"));
    CHECK_THAT(refusal(folder.write("text", "hello\n")), Contains("not a database") && Contains("--salvage"));
    CHECK_THAT(refusal(folder.write("empty", "")), Contains("no bytes"));
    Database(folder.file("other.db"), Database::Access::write).run("CREATE TABLE bookmarks (url TEXT)");
    CHECK_THAT(refusal(folder.file("other.db")), Contains("another program"));
    fill(folder.file("newer.db"), "m", 0, 1);
    Database(folder.file("newer.db"), Database::Access::write).run("PRAGMA user_version = 9");
    CHECK_THAT(refusal(folder.file("newer.db")), Contains("found version 9"));
}

TEST_CASE("import: a damaged source is refused with what and where, or salvaged with what not",
          "[store][import][faults]") {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.db"), b = folder.file("b.db");
    fill(a, "m1", 0, 300);
    std::string bytes = bytes_of(a);
    int lost = 0;
    SECTION("a byte of a record") {
        const auto place = bytes.find("[[3.0000125,100");
        REQUIRE(place != std::string::npos);
        bytes[place + 2] = '1';
        lost = 1;
    }
    SECTION("a page") {
        std::fill_n(bytes.begin() + 12 * 4096, 4096, 'z');
        lost = -1;
    }
    SECTION("its end") {
        bytes.resize(bytes.size() - 3 * 4096);
        lost = -1;
    }
    folder.write("a.db", bytes);
    try {
        StoreSource source(a);
        FAIL_CHECK("accepted");
    } catch (const InputError& error) {
        CHECK_THAT(error.what(), Contains(a) && Contains("--salvage"));
        if (lost == 1) CHECK_THAT(error.what(), Contains("record 4: its checksum does not fit its contents"));
    }
    CHECK_FALSE(fs::exists(b));
    {
        StoreSource source(a, folder.path());
        const ImportReport report = Store(b).import_from(source);
        REQUIRE_FALSE(report.left_out.empty());
        INFO(report.left_out[0]);
        CHECK(report.records.added < 300);
        CHECK(report.records.added > 50);
        CHECK_THAT(report.left_out[0],
                   Contains(std::to_string(report.records.added) + " records of 1 job were kept, " +
                            std::to_string(300 - report.records.added) + " could not be read"));
        if (lost == 1) CHECK(report.records.added == 299);
    }
    CHECK(bytes_of(a) == bytes);  // as it was
    for (const auto& entry : fs::directory_iterator(folder.path()))
        CHECK(entry.path().filename().string().find("rooftune-import") == std::string::npos);
    CHECK(check_store(b).whole());
}

TEST_CASE("import: kill -9 at any moment leaves the target as it was, or whole", "[store][import][faults]") {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.db"), b = folder.file("b.db");
    fill(a, "m1", 0, 400);
    fill(b, "m1", 390, 410);
    const std::string before = dump(b);
    std::string after;
    {
        const std::string copy = folder.file("copy.db");
        fs::copy_file(b, copy);
        import(a, copy);
        after = dump(copy);
    }
    REQUIRE(before != after);
    int untouched = 0;
    for (int round = 0; round < 25; ++round) {
        const std::string target = folder.file("target" + std::to_string(round) + ".db");
        fs::copy_file(b, target);
        const pid_t child = spawn([&] { import(a, target); });
        ::usleep(static_cast<useconds_t>(1500 * round));
        ::kill(child, SIGKILL);
        ended(child);
        const std::string now = dump(target);
        INFO("round " << round);
        CHECK((now == before || now == after));
        untouched += now == before;
        CHECK(check_store(target).whole());
    }
    CHECK(untouched > 0);
}

TEST_CASE("import: Ctrl-C between rows leaves the target as it was", "[store][import][faults]") {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.db"), b = folder.file("b.db");
    fill(a, "m1", 0, 20);
    fill(b, "m2", 0, 5);
    const std::string before = dump(b);
    for (int rows = 0; rows < 22; ++rows) {
        StoreSource source(a);
        Store store(b);
        int left = rows;
        CHECK(store.import_from(source, [&] { return left-- > 0; }).interrupted);
    }
    CHECK((dump(b) == before));
}

TEST_CASE("import onto a full disk: as it was", "[store][import][faults]") {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.db");
    fill(a, "m1", 0, 1000);
    SECTION("a small disk") {
        test::SmallDisk disk(250 * 1024);
        if (!disk.mounted()) {
            WARN("skipped: no disk can be mounted here (needs root)");
            return;
        }
        const std::string b = disk.file("b.db");
        fill(b, "m2", 0, 5);
        const std::string before = dump(b);
        {
            StoreSource source(a);
            Store store(b);
            CHECK_THROWS_WITH(store.import_from(source), Contains(b) && Contains("--results"));
            CHECK(store.jobs().size() == 1);
        }
        CHECK((dump(b) == before));
        CHECK(check_store(b).whole());
        CHECK_THROWS_AS(Store(a).export_store(disk.file("copy.db")), EnvironmentError);
        CHECK_FALSE(fs::exists(disk.file("copy.db")));
        for (const auto& entry : fs::directory_iterator(fs::path(b).parent_path()))
            CHECK(entry.path().string().find(".part") == std::string::npos);
    }
    SECTION("a limit on the size of files") {
        const std::string b = folder.file("b.db");
        fill(b, "m2", 0, 5);
        const std::string before = dump(b);
        CHECK(ended(spawn([&] {
                  StoreSource source(a);
                  Store store(b);
                  std::signal(SIGXFSZ, SIG_IGN);
                  const rlimit limit{150'000, 150'000};
                  ::setrlimit(RLIMIT_FSIZE, &limit);
                  try {
                      store.import_from(source);
                  } catch (const EnvironmentError& error) {
                      ::_exit(std::string(error.what()).find(b) == std::string::npos ? 4 : 5);
                  }
              })) == 5);
        CHECK((dump(b) == before));
        CHECK(check_store(b).whole());
    }
}

TEST_CASE("import beside a writer: both are there, and the source may be in use as well", "[store][import]") {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.db"), b = folder.file("b.db");
    fill(a, "m1", 0, 200);
    const auto writer = [](const std::string& path, int from) {
        return spawn([=] {
            Store store(path);
            const JobId id = store.job(key_on("m1"));
            for (int i = 0; i < 150; ++i) {
                store.journal_start(id, example_variant(from + i));
                store.add(id, example_variant(from + i), example_record(from + i));
            }
        });
    };
    const pid_t at_target = writer(b, 1000), at_source = writer(a, 5000);
    for (int i = 0; i < 8; ++i) {
        CHECK_NOTHROW(import(a, b));
        ::usleep(5000);
    }
    CHECK(ended(at_target) == 0);
    CHECK(ended(at_source) == 0);
    import(a, b);
    CHECK(Store(b).records(1).size() == 500);
    CHECK(Store(b).notices().empty());
    CHECK(check_store(b).whole());
    CHECK(check_store(a).whole());
}

TEST_CASE("export: one file that needs nothing beside it, and replaces nothing", "[store][export]") {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.db"), copy = folder.file("copy.db"), one = folder.file("one.db");
    fill(a, "m1", 0, 50);
    fill(a, "m2", 0, 10);
    Store store(a);
    const StoreExport all = store.export_store(copy);
    CHECK(all.jobs == 2);
    CHECK(all.records == 60);
    CHECK(all.history == 2);
    CHECK(all.bytes == static_cast<std::int64_t>(fs::file_size(copy)));
    CHECK(store.export_store(one, 2).records == 10);
    {
        Database database(copy, Database::Access::frozen);
        CHECK(database.text("PRAGMA journal_mode") != "wal");
        CHECK(database.integer("PRAGMA user_version") == 2);
        CHECK(database.integer("SELECT count(*) FROM journal") == 0);
    }
    CHECK_FALSE(fs::exists(copy + "-wal"));
    CHECK(check_store(copy).whole());
    CHECK_THROWS_WITH(store.export_store(copy), Contains("is there already"));
    CHECK_THROWS_AS(store.export_store(folder.file("no/such/folder.db")), EnvironmentError);
    CHECK(import(copy, folder.file("new.db")).records.added == 60);
    const ImportReport report = import(one, folder.file("two.db"));
    CHECK(report.jobs.added == 1);
    CHECK(report.machines.begin()->first == "m2");
    CHECK(report.history.added == 0);
    CHECK_FALSE(import(copy, a).changed());
    // A store of its own.
    Store(copy).add(1, "more", example_record());
}

TEST_CASE("export: rows that are not as they were written stay behind, and are named", "[store][export]") {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.db"), copy = folder.file("copy.db");
    fill(a, "m1", 0, 10);
    std::string bytes = bytes_of(a);
    bytes[bytes.find("[[3.0000125,100") + 2] = '1';
    folder.write("a.db", bytes);
    const StoreExport report = Store(a).export_store(copy);
    REQUIRE(report.left_out.size() == 1);
    CHECK_THAT(report.left_out[0], Contains("record 4: its checksum"));
    CHECK(report.records == 9);
    CHECK(check_store(copy).whole());
}

TEST_CASE("export: a snapshot while others write, whole at every moment", "[store][export]") {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.db");
    fill(a, "m1", 0, 10);
    const pid_t child = spawn([&] {
        Store store(a);
        // Without a pause it holds the store nearly all the time, and the copies take a minute to get in.
        for (int i = 100;; ++i, ::usleep(1000)) store.add(1, example_variant(i), example_record(i));
    });
    std::set<std::int64_t> sizes;  // four of them: the other did write in between
    for (int i = 0; i < 1000 && (i < 8 || sizes.size() < 4); ++i) {
        const std::string copy = folder / ("copy" + std::to_string(i));
        sizes.insert(Store(a).export_store(copy).records);
        CHECK(check_store(copy).whole());
    }
    CHECK(sizes.size() >= 4);
    ::kill(child, SIGKILL);
    ended(child);
}
