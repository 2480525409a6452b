// What may be deleted, by planted rows; and that it is, whole, alone and for good.
#include <csignal>
#include <fstream>
#include <sstream>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/store/store_fixture.h"
#include "tuner/store/database.h"
#include "tuner/store/inspect.h"
#include "tuner/store/prune.h"
#include "tuner/store/store.h"
#include "tuner/store/store_source.h"

using namespace rooftune;
using Catch::Contains;
using test::ended;
using test::example_key;
using test::example_record;
using test::example_variant;
using test::spawn;
using test::TemporaryFolder;
using Ids = std::vector<std::int64_t>;

namespace {

PruneRow run_of(std::int64_t id, std::int64_t job, const std::string& at, bool result) {
    return {.id = id, .job = job, .at = at, .bytes = 1000, .result = result};
}
PruneRow record_of(std::int64_t id, std::int64_t job, std::optional<std::int64_t> run,
                   const std::string& at) {
    return {.id = id, .job = job, .run = run, .at = at, .bytes = 10};
}

// Job 1: an old run with a result, a newer one with a result, and the newest, which was killed. Job 2: of
// another machine and build, one old run. Job 3: made, and nothing else.
PruneRows example() {
    PruneRows rows;
    rows.jobs = {{1, "h1", "t1", "spmv", "here", "new", "2024-01-01T00:00:00Z"},
                 {2, "h2", "t2", "matmul", "there", "old", "2023-01-01T00:00:00Z"},
                 {3, "h3", "t3", "spmv", "here", "new", "2023-06-01T00:00:00Z"}};
    rows.runs = {run_of(1, 1, "2024-01-01T00:00:00Z", true), run_of(2, 1, "2024-02-01T00:00:00Z", true),
                 run_of(3, 1, "2024-03-01T00:00:00Z", false), run_of(4, 2, "2023-01-01T00:00:00Z", true)};
    rows.records = {record_of(1, 1, 1, "2024-01-01T00:00:01Z"), record_of(2, 1, 2, "2024-02-01T00:00:01Z"),
                    record_of(3, 1, 3, "2024-03-01T00:00:01Z"), record_of(4, 2, 4, "2023-01-01T00:00:01Z"),
                    record_of(5, 1, {}, "2024-01-15T00:00:00Z")};
    rows.records[0].superseded = true;
    return rows;
}

PrunePlan plan(const PruneWish& wish) {
    return plan_prune(example(), wish);
}

/// Two runs of one job, of which the first was superseded.
void fill(const std::string& path) {
    Store store(path);
    const JobId id = store.job(example_key());
    for (int run = 0; run < 2; ++run) {
        if (run == 1) store.supersede(id);
        const RunId number = store.start_run(id);
        for (int i = 0; i < 100; ++i)
            store.add(id, example_variant(1000 * run + i), example_record(1000 * run + i), number);
        store.finish_run(number, R"({"certificate": {}})");
    }
}

}  // namespace

TEST_CASE("prune: which rows go", "[store][prune]") {
    SECTION("superseded records, and nothing else") {
        const PrunePlan p = plan({.superseded = true});
        CHECK(p.record_ids == Ids{1});
        CHECK(p.run_ids.empty());
        CHECK(p.job_ids.empty());
        REQUIRE(p.jobs.size() == 1);
        CHECK(p.jobs[0].records_left == 3);
        CHECK(p.bytes == 10);
    }
    SECTION("of a job all but the last run with a result, and what was measured in it") {
        const PrunePlan p = plan({.job = 1});
        CHECK(p.record_ids == Ids{1, 3, 5});
        CHECK(p.run_ids == Ids{1, 3});
        CHECK(p.job_ids.empty());
        CHECK(p.bytes == 2030);
        CHECK_FALSE(p.jobs[0].whole);
    }
    SECTION("the newest too: the job itself") {
        const PrunePlan p = plan({.newest_too = true, .job = 1});
        CHECK(p.record_ids == Ids{1, 2, 3, 5});
        CHECK(p.run_ids == Ids{1, 2, 3});
        CHECK(p.job_ids == Ids{1});
        CHECK(p.jobs[0].whole);
    }
    SECTION("older than a date: of records and runs their own") {
        const PrunePlan p = plan({.newest_too = true, .before = "2024-02"});
        CHECK(p.record_ids == Ids{1, 5, 4});
        CHECK(p.run_ids == Ids{1, 4});
        CHECK(p.job_ids == Ids{2, 3});
    }
    SECTION("a run that began before the date stays with a record after it") {
        const PrunePlan p = plan({.newest_too = true, .job = 1, .before = "2024-02-01T00:00:00Z"});
        CHECK(p.run_ids == Ids{1});
        const PrunePlan later = plan({.newest_too = true, .job = 1, .before = "2024-02-01T00:00:01Z"});
        CHECK(later.run_ids == Ids{1});
        CHECK(plan({.newest_too = true, .job = 1, .before = "2024-02-01T00:00:02Z"}).run_ids == Ids{1, 2});
    }
    SECTION("machines and builds, and all but one") {
        CHECK(plan({.newest_too = true, .machine = "there"}).job_ids == Ids{2});
        CHECK(plan({.newest_too = true, .not_machine = "here"}).job_ids == Ids{2});
        CHECK(plan({.newest_too = true, .build = "old"}).job_ids == Ids{2});
        CHECK(plan({.newest_too = true, .not_build = "new"}).job_ids == Ids{2});
        CHECK(plan({.newest_too = true, .family = "matmul"}).job_ids == Ids{2});
        CHECK(plan({.machine = "there"}).empty());  // its only run stays
        CHECK(plan({.machine = "nowhere"}).empty());
    }
    SECTION("conditions narrow each other") {
        CHECK(plan({.superseded = true, .machine = "there"}).empty());
        CHECK(plan({.superseded = true, .before = "2024-01-01"}).empty());
        CHECK(plan({.superseded = true, .before = "2024-01-02"}).record_ids == Ids{1});
        CHECK(plan({.newest_too = true, .machine = "there", .build = "new"}).empty());
    }
    SECTION("a job without anything goes when it fits, one of which superseded records went does not") {
        CHECK(plan({.job = 3}).job_ids == Ids{3});
        CHECK(plan({.job = 3, .before = "2023-06-01"}).empty());
        CHECK(plan({.superseded = true, .job = 3}).empty());
    }
    SECTION("damaged rows go only when asked for, and alone") {
        PruneRows rows = example();
        rows.records[1].intact = false;
        rows.runs[0].intact = false;
        rows.jobs[1].intact = false;
        rows.history = {record_of(1, 0, {}, "2024"), record_of(2, 0, {}, "2024")};
        rows.history[1].intact = false;
        const PrunePlan p = plan_prune(rows, {.damaged = true});
        CHECK(p.record_ids == Ids{2, 4});
        CHECK(p.run_ids == Ids{1, 4});  // its record is whole without it
        CHECK(p.job_ids == Ids{2});
        CHECK(p.history_ids == Ids{2});
        const PrunePlan others = plan_prune(rows, {.newest_too = true, .job = 1});
        CHECK(others.record_ids == Ids{1, 3, 5});
        CHECK(others.history_ids.empty());
        CHECK(others.job_ids.empty());
    }
    SECTION("an empty store") {
        CHECK(plan_prune({}, {.newest_too = true}).empty());
    }
}

TEST_CASE("prune: dates", "[store][prune]") {
    for (const char* good : {"2024-05-31", "2024-12-01T23:59:59Z"}) CHECK_NOTHROW(check_prune_date(good));
    for (const char* bad : {"", "yesterday", "2024", "2024-13-01", "2024-05-32", "2024-05-31T25:00:00Z",
                            "2024-05-31 17:04:59", "31.5.2024", "2024-05-31Z", "2024-00-10", "2024-10-00",
                            "2024-05-31T17:04:60Z", "2024-05-31T17:60:59Z", "2024-05-31T17:04:59",
                            "2024-5-31", "+024-05-31", "2024-05- 1", "2024-05-31T17:04:59Z "}) {
        INFO(bad);
        CHECK_THROWS_WITH(check_prune_date(bad), Contains("expected a date") && Contains(bad));
    }
}

TEST_CASE("prune: what was planned is deleted, the file is smaller, and the rest is whole",
          "[store][prune]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    fill(path);
    const auto bytes = std::filesystem::file_size(path);
    {
        Store store(path);
        const PrunePlan planned = store.prune_plan({.superseded = true});
        CHECK(planned.record_ids.size() == 100);
        CHECK(store.jobs()[0].superseded == 100);  // planning deletes nothing
        const PruneReport report = store.prune({.superseded = true});
        CHECK(report.done);
        CHECK(report.plan.record_ids == planned.record_ids);
        CHECK(report.not_shrunk.empty());
        CHECK(report.bytes_after < report.bytes_before);
        CHECK(store.jobs()[0].superseded == 0);
        CHECK(store.records(1).size() == 100);
        CHECK(store.records(1)[0].id == 1);  // ids without gaps
        store.add(1, "new", example_record(5));
    }
    CHECK(std::filesystem::file_size(path) < bytes);
    CHECK(check_store(path).whole());
    Store store(path);
    CHECK(store.notices().empty());  // nothing seems to be missing
    CHECK(store.records(1).size() == 101);
    CHECK(store.runs().size() == 2);
    store.prune({.newest_too = true, .job = 1});
    CHECK(store.jobs().empty());
    CHECK(store.job(example_key()) == 1);
}

TEST_CASE("prune: nothing is deleted while another process uses the store", "[store][prune]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    fill(path);
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = spawn([&] {
        Store store(path);
        char byte = 'x';
        if (::write(ends[1], &byte, 1) != 1) ::_exit(2);
        ::pause();
    });
    char byte = 0;
    REQUIRE(::read(ends[0], &byte, 1) == 1);
    {
        Store store(path);
        CHECK_THROWS_WITH(store.prune({.superseded = true}),
                          Contains("another process uses the store") && Contains(path));
        CHECK(store.jobs()[0].superseded == 100);
        store.add(1, "still open", example_record(7));
    }
    ::kill(child, SIGKILL);
    ended(child);
    Store store(path);
    CHECK(store.prune({.superseded = true}).done);
    CHECK(store.records(1).size() == 101);
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST_CASE("prune: kill -9 in the middle deletes all or nothing, and claims no loss",
          "[store][prune][faults]") {
    for (int round = 0; round < 12; ++round) {
        const TemporaryFolder folder;
        const std::string path = folder.file("rooftune.db");
        fill(path);
        const pid_t child = spawn([&] {
            Store store(path);
            store.prune({.superseded = true});
        });
        ::usleep(static_cast<useconds_t>(1500 * round));
        ::kill(child, SIGKILL);
        ended(child);
        CHECK(check_store(path).whole());
        Store store(path);
        CHECK(store.notices().empty());
        const auto superseded = store.jobs()[0].superseded;
        CHECK((superseded == 0 || superseded == 100));
        CHECK(store.records(1).size() == 100);
    }
}

TEST_CASE("prune: damaged rows go when asked for", "[store][prune][faults]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    fill(path);
    std::string bytes = folder.read("rooftune.db");
    const auto place = bytes.find("[[1003.0000125,100");
    REQUIRE(place != std::string::npos);
    bytes[place + 2] = '9';
    folder.write("rooftune.db", bytes);
    const StoreState state = check_store(path);
    REQUIRE(state.faults.size() == 1);
    CHECK(state.damage.empty());
    CHECK_THAT(state.faults[0].text(), Contains("record 104: its checksum does not fit"));
    {
        Store store(path);
        CHECK(store.records(1).size() == 99);
        CHECK(store.prune({.damaged = true}).plan.record_ids == Ids{104});
    }
    CHECK(check_store(path).whole());
    Store store(path);
    CHECK(store.records(1).size() == 99);
    CHECK(store.notices().empty());
}

TEST_CASE("check: an index that lacks rows is found and repaired, though the rows themselves are whole",
          "[store][faults]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    fill(path);
    {
        // The rows are written while SQLite does not know of the index.
        Database database(path, Database::Access::write);
        const std::string row = "WHERE name = 'records_of_job'";
        database.run("CREATE TABLE kept AS SELECT * FROM sqlite_master " + row);
        database.run("PRAGMA writable_schema = ON; DELETE FROM sqlite_master " + row);
    }
    {
        Database database(path, Database::Access::write);
        database.run("UPDATE records SET superseded = 1 WHERE id > 150");
        database.run(
            "PRAGMA writable_schema = ON; INSERT INTO sqlite_master SELECT * FROM kept; DROP TABLE kept");
    }
    const StoreState state = check_store(path);
    REQUIRE_FALSE(state.damage.empty());
    CHECK_THAT(state.damage[0], Contains("records_of_job"));
    CHECK(state.faults.empty());
    CHECK_THAT(repair_store(path), Contains("200 records of 1 job were kept, none is lost"));
    CHECK(check_store(path).whole());
    Store store(path);
    CHECK(store.notices().empty());
    CHECK(store.records(1).size() == 50);
    CHECK_THROWS_WITH(repair_store(path), Contains("another process has it open"));
}
