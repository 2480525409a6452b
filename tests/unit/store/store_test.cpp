#include "tuner/store/store.h"

#include <cmath>
#include <csignal>
#include <sstream>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/store/store_fixture.h"
#include "tuner/store/database.h"
#include "tuner/store/store_schema.h"

using namespace rooftune;
using Catch::Contains;
using test::ended;
using test::example_key;
using test::example_record;
using test::example_variant;
using test::spawn;
using test::TemporaryFolder;

namespace {

bool same(const Record& a, const Record& b) {
    if (a.variant != b.variant || a.outcome != b.outcome || a.detail != b.detail || a.role != b.role ||
        a.when != b.when || a.prepare_seconds != b.prepare_seconds || a.slots.size() != b.slots.size())
        return false;
    if (std::isnan(a.error) != std::isnan(b.error) || (!std::isnan(a.error) && a.error != b.error))
        return false;
    for (std::size_t i = 0; i < a.slots.size(); ++i)
        if (a.slots[i].seconds != b.slots[i].seconds || a.slots[i].repetitions != b.slots[i].repetitions ||
            a.slots[i].disturbed != b.slots[i].disturbed)
            return false;
    return true;
}

}  // namespace

TEST_CASE("store: what is added is there, to the last digit, also after opening again", "[store]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("deep/er/rooftune.db");
    std::vector<Record> written{example_record(1), example_record(2), example_record(3), example_record(4)};
    written[1].outcome = Outcome::wrong;
    written[1].error = NAN;
    written[1].slots.clear();
    written[1].detail =
        "row 7: \"nan\"; it's wrong, \xc3\xa9\nsecond line, and a NUL: " + std::string(1, '\0') + ".";
    written[2].error = INFINITY;
    written[2].prepare_seconds = 5e-324;
    written[3].error = -0.0;
    written[3].slots = {{1.0, 1, false}};
    JobId id = 0;
    {
        Store store(path);
        id = store.job(example_key());
        for (std::size_t i = 0; i < written.size(); ++i)
            store.add(id, example_variant(static_cast<int>(i)), written[i]);
        CHECK(store.notices().empty());
    }
    Store store(path);
    CHECK(store.job(example_key()) == id);
    const auto records = store.records(id);
    REQUIRE(records.size() == written.size());
    for (std::size_t i = 0; i < written.size(); ++i) {
        CHECK(records[i].variant == example_variant(static_cast<int>(i)));
        CHECK(same(records[i].record, written[i]));
        CHECK_FALSE(records[i].run);
    }
    CHECK(store.notices().empty());
    CHECK(store.records(id + 1).empty());
}

TEST_CASE("store: the comparison of records above sees differences", "[store]") {
    Record other = example_record();
    CHECK(same(example_record(), other));
    other.slots[1].seconds = std::nextafter(other.slots[1].seconds, 1.0);
    CHECK_FALSE(same(example_record(), other));
    other = example_record();
    other.error = NAN;
    CHECK_FALSE(same(example_record(), other));
}

TEST_CASE("store: a record without a date gets one", "[store]") {
    const TemporaryFolder folder;
    Store store(folder.file("rooftune.db"));
    const JobId id = store.job(example_key());
    Record record = example_record();
    record.when.clear();
    store.add(id, example_variant(), record);
    CHECK(store.records(id)[0].record.when.size() == 20);
}

TEST_CASE("store: jobs do not mix", "[store]") {
    const TemporaryFolder folder;
    Store store(folder.file("rooftune.db"));
    JobKey cold = example_key();
    cold.state = "cold";
    const JobId a = store.job(example_key()), b = store.job(cold);
    CHECK(a != b);
    store.add(a, example_variant(1), example_record(1));
    store.add(b, example_variant(2), example_record(2));
    CHECK(store.records(a).size() == 1);
    CHECK(store.records(b)[0].variant == example_variant(2));
    const auto jobs = store.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(jobs[1].key.state == "cold");
    CHECK(jobs[1].key.canonical() == cold.canonical());
    CHECK(jobs[0].key.problem == example_key().problem);
    CHECK(jobs[0].key.title == example_key().title);
    CHECK(jobs[0].records == 1);
}

TEST_CASE("store: starting over keeps the old records but does not resume from them", "[store]") {
    const TemporaryFolder folder;
    Store store(folder.file("rooftune.db"));
    const JobId id = store.job(example_key());
    store.add(id, example_variant(1), example_record(1));
    store.supersede(id);
    CHECK(store.records(id).empty());
    store.add(id, example_variant(2), example_record(2));
    REQUIRE(store.records(id).size() == 1);
    CHECK(store.records(id)[0].variant == example_variant(2));
    CHECK(store.notices().empty());
    std::ostringstream csv;
    store.export_csv(csv);
    CHECK_THAT(csv.str(),
               Contains("search,1,\"format=sell,chunk=1\"") && Contains("search,0,\"format=sell,chunk=2\""));
}

TEST_CASE("store: runs and their results", "[store]") {
    const TemporaryFolder folder;
    Store store(folder.file("rooftune.db"));
    const JobId id = store.job(example_key());
    const RunId first = store.start_run(id), second = store.start_run(id), third = store.start_run(id);
    store.add(id, example_variant(), example_record(), second);
    store.finish_run(first, R"({"schema": "x"})");
    store.finish_run(second, "");
    CHECK(store.records(id)[0].run == second);
    const auto runs = store.runs(id);
    REQUIRE(runs.size() == 3);
    CHECK(runs[0].result == R"({"schema": "x"})");
    CHECK(runs[0].ended.size() == 20);
    CHECK(runs[1].result.empty());
    CHECK(runs[1].ended.size() == 20);
    CHECK(runs[2].id == third);
    CHECK(runs[2].ended.empty());
    CHECK(store.runs(id + 1).empty());
    CHECK(store.runs().size() == 3);
    CHECK(store.jobs()[0].runs == 3);
}

TEST_CASE("store: a record of a job or run that does not exist is refused", "[store]") {
    const TemporaryFolder folder;
    Store store(folder.file("rooftune.db"));
    CHECK_THROWS_AS(store.add(77, example_variant(), example_record()), EnvironmentError);
    const JobId id = store.job(example_key());
    CHECK_THROWS_AS(store.add(id, example_variant(), example_record(), 99), EnvironmentError);
    CHECK(store.records(id).empty());
    CHECK_NOTHROW(store.add(id, example_variant(), example_record()));
}

TEST_CASE("store: samples as CSV", "[store]") {
    const TemporaryFolder folder;
    Store store(folder.file("rooftune.db"));
    JobKey key = example_key();
    key.title = "a \"quoted\" title";
    const JobId id = store.job(key);
    const RunId run = store.start_run(id);
    store.add(id, example_variant(1), example_record(1), run);
    Record failed = example_record(2);
    failed.outcome = Outcome::crashed;
    failed.detail = "signal 11,\nat once";
    failed.slots.clear();
    failed.error = NAN;
    store.add(id, example_variant(2), failed);
    std::ostringstream csv;
    store.export_csv(csv, id);
    const std::string job =
        key.hash() +
        ",spmv,cpu,\"a \"\"quoted\"\" title\",\"{\"\"dtype\"\":\"\"f64\"\",\"\"matrix\"\":"
        "\"\"ship.mtx\"\"}\",d1g3st,f64,warm,2,intel-6-143-8-2t,3,b41ld,";
    CHECK(csv.str() ==
          "job,family,backend,title,problem,digest,dtype,state,threads,machine,space_version,build,run,"
          "record,at,role,"
          "superseded,variant,outcome,detail,error,prepare_seconds,slot,seconds,repetitions,disturbed\n" +
              job +
              "1,1,2024-05-31T17:04:59Z,search,0,\"format=sell,chunk=1\",measured,,0.02,0.004,0,1.0000125,"
              "100,0\n" +
              job + "1,1,2024-05-31T17:04:59Z,search,0,\"format=sell,chunk=1\",measured,,0.02,0.004,1," +
              "0.30000000000000004,99,1\n" + job +
              ",2,2024-05-31T17:04:59Z,search,0,\"format=sell,chunk=2\",crashed,\"signal 11,\nat "
              "once\",nan,0.004,,,,\n");
    std::ostringstream none;
    store.export_csv(none, id + 1);
    CHECK(none.str().find('\n') == none.str().size() - 1);
    std::ostringstream full;
    full.setstate(std::ios::badbit);
    CHECK_THROWS_AS(store.export_csv(full, id), EnvironmentError);
}

TEST_CASE("slots as text: what is not one is refused", "[store]") {
    CHECK(slots_text({}) == "[]");
    CHECK(slots_from("[]", "f").empty());
    for (const char* text :
         {"", "{}", "[1]", "[[1,2]]", "[[1,2,3]]", "[[\"1\",2,false]]", "[[1,2.5,false]]", "[[1,2,false]"})
        CHECK_THROWS_AS(slots_from(text, "f"), InputError);
}

TEST_CASE("journal: an entry whose process died counts, twice is quarantine", "[store][journal]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    JobId id = 0;
    {
        Store store(path);
        id = store.job(example_key());
    }
    const auto die_during = [&](const std::string& variant) {
        return ended(spawn([&] {
            Store store(path);
            store.journal_start(store.job(example_key()), variant);
            std::raise(SIGKILL);
        }));
    };
    CHECK(die_during("bad") == 128 + SIGKILL);
    CHECK(Store(path).quarantined(id).empty());
    CHECK(Store(path).quarantined(id).empty());  // opening again does not count the same death again
    CHECK(die_during("bad") == 128 + SIGKILL);
    CHECK(die_during("once") == 128 + SIGKILL);
    CHECK(Store(path).quarantined(id) == std::vector<std::string>{"bad"});
    CHECK(Store(path).quarantined(id + 1).empty());

    SECTION("starting over forgets it") {
        Store store(path);
        store.supersede(id);
        CHECK(store.quarantined(id).empty());
    }
    SECTION("a run that survives the variant clears it") {
        Store store(path);
        store.journal_start(id, "bad");
        Record crashed = example_record();
        crashed.outcome = Outcome::crashed;
        store.add(id, "bad", crashed);
        CHECK(store.quarantined(id).empty());
    }
    SECTION("one that was measured before is not to blame for the deaths of its run") {
        {
            Store store(path);
            store.add(id, "incumbent", example_record());
        }
        die_during("incumbent");
        die_during("incumbent");
        CHECK(Store(path).quarantined(id) == std::vector<std::string>{"bad"});
    }
}

TEST_CASE("journal: living processes, clean ends and cancelled starts do not count", "[store][journal]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    JobId id = 0;
    for (int i = 0; i < 3; ++i) {
        Store store(path);
        id = store.job(example_key());
        store.journal_start(id, "interrupted");
        Store other(path);  // sees an entry of a process that lives
        CHECK(other.quarantined(id).empty());
    }
    for (int i = 0; i < 3; ++i)
        CHECK(ended(spawn([&] {
                  Store store(path);
                  store.journal_start(id, "cancelled");
                  store.journal_cancel(id, "cancelled");
                  std::raise(SIGKILL);
              })) == 128 + SIGKILL);
    for (int i = 0; i < 3; ++i)
        CHECK(ended(spawn([&] {
                  Store store(path);
                  store.journal_start(id, "done");
                  store.add(id, "done", example_record());
                  std::raise(SIGKILL);
              })) == 128 + SIGKILL);
    Store store(path);
    CHECK(store.quarantined(id).empty());
    CHECK(Database(path, Database::Access::read).integer("SELECT count(*) FROM journal") == 0);
}

TEST_CASE("what like jobs' latest results hold at a path, and nothing of others or of broken ones") {
    const TemporaryFolder folder;
    Store store(folder.file("rooftune.db"));
    const auto run = [&](const JobKey& key, const std::string& result) {
        store.finish_run(store.start_run(store.job(key)), result);
    };
    JobKey other_problem = example_key(), other_family = example_key(), other_machine = example_key();
    other_problem.digest = "another";
    other_family.family = "stencil";
    other_machine.machine_id = "elsewhere";
    run(example_key(), R"({"a": {"b": [1, 2]}})");
    run(other_problem, R"({"a": {"b": [3]}})");
    run(other_family, R"({"a": {"b": [4]}})");
    run(other_machine, R"({"a": {"b": [5]}})");
    run(example_key(), R"({"a": {}})");
    run(example_key(), "not JSON");
    run(example_key(), "");
    run(example_key(), R"({"a": {"b": []}})");
    CHECK(store.lately(example_key(), "$.a.b", 10) == std::vector<std::string>{"[]", "[3]", "[1,2]"});
    CHECK(store.lately(example_key(), "$.a.b", 2) == std::vector<std::string>{"[]", "[3]"});
    CHECK(store.lately(example_key(), "$.nowhere", 10).empty());
}
