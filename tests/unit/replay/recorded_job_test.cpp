// Jobs of a store as recorded spaces: which record of a variant counts, which job is meant.
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "kernels/contract/family.h"
#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/example_records.h"
#include "tests/support/process.h"
#include "tuner/replay/rooftune_file.h"
#include "tuner/replay/store_jobs.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

std::string complaint(const std::function<void()>& what) {
    try {
        what();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

JobSummary summary(JobId id, const std::string& title, const std::string& state, std::int64_t records) {
    JobSummary s;
    s.id = id;
    s.key.title = s.key.digest = title;
    s.key.state = state;
    s.records = records;
    return s;
}

const char* const kDocument = R"({"schema":"rooftune/records/1","title":"t","family":"f","backend":"cpu",
  "problem":{"n":"3"},"digest":"d","dtype":"f64","state":"warm","threads":2,"space_version":1,"build":"b",
  "created":"c","machine":{"id":"m"},"parameters":[{"name":"a","values":["1","x"]},{"name":"b","values":["7"]}],
  "variants":[
  {"values":[0,null],"outcome":"measured","seconds":[2,3],"repetitions":[1,1],"disturbed":[1],
   "prepare_seconds":0.5,"role":"settle","at":"w","error":0.1},
  {"values":[1,0],"outcome":"crashed","detail":"signal 11","prepare_seconds":0,"role":"search","at":"w"}]})";

std::string broken(const std::string& from, const std::string& to) {
    std::string text = kDocument;
    REQUIRE(text.find(from) != std::string::npos);
    text.replace(text.find(from), from.size(), to);
    return complaint([&] { from_rooftune_records(parse_json(text, "r.json"), "r.json"); });
}

}  // namespace

TEST_CASE("which record of a variant counts") {
    const Record full = record_with(Outcome::measured, {}), sample = record_with(Outcome::raced_out, {});
    const Record wrong = record_with(Outcome::wrong, {});
    const Record settled = record_with(Outcome::measured, {}, "settle");
    const Record settled_sample = record_with(Outcome::raced_out, {}, "settle");
    CHECK(replaces(sample, sample));
    CHECK(replaces(sample, full));
    CHECK(replaces(full, full));
    CHECK_FALSE(replaces(full, sample));
    CHECK(replaces(full, wrong));
    CHECK(replaces(wrong, full));
    CHECK_FALSE(replaces(settled, full));
    CHECK_FALSE(replaces(settled, wrong));
    CHECK(replaces(full, settled_sample));
    CHECK(replaces(settled, settled));
    CHECK_FALSE(replaces(settled, settled_sample));
    // A later run measures everything again: what its rotation leaves out must not keep the place that it had
    // in the rotation before.
    const Record later = record_with(Outcome::raced_out, {}, "exhaustive");
    const Record batch = record_with(Outcome::measured, {}, "heat");
    CHECK(replaces(settled, later));
    CHECK(replaces(settled, batch));
    CHECK(replaces(later, batch));
    CHECK(replaces(batch, settled));
    CHECK(replaces(full, later));
    CHECK_FALSE(replaces(later, full));
    CHECK_FALSE(replaces(batch, full));
}

TEST_CASE("a job's records as a space: order, absent parameters, medians, costs, failures") {
    const ExampleRecords e = example_records();
    const RecordedJob job = recorded_job(e.job, e.records);
    const RecordedSpace& s = job.space;
    CHECK(s.name == "spmv \"ship\", f64, warm, 2 threads on intel-6-143-8-2t");
    REQUIRE(s.parameters.size() == 4);
    CHECK(s.parameters[0] == RecordedParameter{"format", {"csr", "sell"}});
    CHECK(s.parameters[1] == RecordedParameter{"chunk", {"4", "8", "16", "absent"}});
    CHECK(s.parameters[2] == RecordedParameter{"shape", {"0.5", "absent"}});
    CHECK(s.parameters[3] == RecordedParameter{"threads", {"1", "2"}});
    REQUIRE(s.configurations.size() == 7);
    REQUIRE(job.records.size() == 7);
    const RecordedConfiguration& csr = s.configurations[0];
    CHECK(csr.values == std::vector<int>{0, 3, 1, 0});
    // Seven undisturbed slots are too few to leave the eighth out.
    CHECK(*csr.seconds == Approx(3.115e-3 * 0.995));
    CHECK(csr.samples.size() == 8);
    CHECK(job.records[0].role == "finals");
    const RecordedConfiguration& sell = s.configurations[1];
    CHECK(sell.values == std::vector<int>{1, 2, 0, 1});
    CHECK(*sell.seconds == 2e-3);
    CHECK(sell.cost == Approx(0.01 + 7 * 2e-3));
    CHECK(s.configurations[2].failure == "wrong: y[3] is 1, not 2");
    CHECK(s.configurations[3].failure == "crashed: signal 11");
    CHECK(s.configurations[4].failure == "timed_out");
    CHECK_FALSE(s.configurations[4].seconds);
    CHECK(s.configurations[4].cost == Approx(0.01));
    CHECK(*s.configurations[6].seconds == Approx(1.005e-3 * 0.995));
    check_distinct(s, "example");
}

TEST_CASE("numbers among values are numbers only where they read back to the same text") {
    for (const char* number : {"0", "16", "-3", "0.5", "-2.25"}) CHECK(value_json(number).is_number());
    for (const char* text :
         {"", "-", "007", "1.0", "1.50", "1e5", "nan", "-0", "1 ", "1-2", "99999999999999999999"}) {
        INFO(text);
        CHECK(value_json(text) == Json(text));
    }
}

TEST_CASE("a job is named by number, hash or title") {
    const std::vector<JobSummary> jobs{summary(1, "matmul 64", "warm", 10),
                                       summary(2, "matmul 640", "warm", 5),
                                       summary(3, "spmv ship", "warm", 7), summary(4, "spmv ship", "cold", 7),
                                       summary(5, "stencil", "warm", 0)};
    const auto found = [&](const std::string& wanted) { return find_job(jobs, wanted, "r.db").id; };
    CHECK(found("2") == 2);
    CHECK(found("matmul 64") == 1);  // the whole title before parts of titles
    CHECK(found("MUL 640") == 2);
    CHECK(found(jobs[2].key.hash().substr(0, 8)) == 3);
    const auto refusal = [&](const std::string& wanted) { return complaint([&] { found(wanted); }); };
    CHECK_THAT(refusal(""), Contains("holds 4 jobs") && Contains("spmv ship, cold") && !Contains("stencil"));
    CHECK_THAT(refusal("spmv"), Contains("2 jobs") && Contains("\n  3  ") && !Contains("matmul"));
    CHECK_THAT(refusal("stencil"), Contains("no such job"));
    CHECK_THAT(refusal("9"), Contains("no such job") && Contains("matmul 640"));
    CHECK(find_job({jobs[1], jobs[4]}, "", "r.db").id == 2);
    CHECK_THAT(complaint([&] { find_job({jobs[4]}, "", "r.db"); }), Contains("without records"));
}

TEST_CASE("a rooftune.db is a recorded space") {
    const TemporaryFolder folder;
    const std::string path = folder / "rooftune.db";
    const ExampleRecords e = example_records();
    JobKey other = e.job.key;
    other.title = "another";
    other.digest = "other";
    {
        Store store(path);
        const JobId first = store.job(e.job.key), second = store.job(other);
        for (const StoredRecord& r : e.records) store.add(first, r.variant, r.record);
        CHECK(read_recorded_space(path).configurations.size() == 7);  // the only job with records
        store.add(second, e.records[1].variant, e.records[1].record);
        CHECK(newest_job(store).id == second);
        store.start_run(first);
        CHECK(newest_job(store).id == first);
    }
    CHECK(is_store_file(path));
    CHECK_FALSE(is_store_file(folder.path()));
    CHECK_FALSE(is_store_file(folder / "none"));
    std::vector<std::string> notices;
    const RecordedSpace s = read_recorded_space(path, "ship", &notices);
    CHECK(notices.empty());
    CHECK(s.configurations == recorded_job(e.job, e.records).space.configurations);
    CHECK(read_recorded_space(path, "another").configurations.size() == 1);
    CHECK_THAT(complaint([&] { read_recorded_space(path); }), Contains("another") && Contains("--job"));
    std::ofstream(folder / "empty.json") << "";
    CHECK_FALSE(is_store_file(folder / "empty.json"));
}

TEST_CASE("our own format, by hand") {
    const RecordedJob job = from_rooftune_records(parse_json(kDocument, "r.json"), "r.json");
    CHECK(job.key.problem == ProblemSpec{{"n", "3"}});
    CHECK(job.key.threads == 2);
    CHECK_FALSE(job.machine);
    REQUIRE(job.records.size() == 2);
    CHECK(job.records[0].variant == std::map<std::string, std::string>{{"a", "1"}});
    CHECK(job.records[0].slots[1].disturbed);
    CHECK_FALSE(job.records[0].slots[0].disturbed);
    CHECK(job.records[1].detail == "signal 11");
    CHECK(job.space.parameters[1].values == std::vector<std::string>{"7", "absent"});
    CHECK(job.space.configurations[0].values == std::vector<int>{0, 1});
    CHECK(*job.space.configurations[0].seconds == 2.5);
    CHECK(job.space.configurations[0].cost == Approx(5.5));
    CHECK(job.space.configurations[1].failure == "crashed: signal 11");
}

TEST_CASE("our own format, broken: file and place are named") {
    CHECK_THAT(broken("records/1", "records/2"), Contains("r.json") && Contains("rooftune/records/1"));
    CHECK_THAT(broken("[0,null]", "[2,null]"), Contains("/variants/0/values/0"));
    CHECK_THAT(broken("[0,null]", "[0]"), Contains("/variants/0/values") && Contains("2 positions"));
    CHECK_THAT(broken("[0,null]", "[0,\"7\"]"), Contains("/variants/0/values/1"));
    CHECK_THAT(broken("\"crashed\"", "\"bored\""), Contains("/variants/1/outcome"));
    CHECK_THAT(broken("[1,1]", "[1]"), Contains("/variants/0/repetitions"));
    CHECK_THAT(broken("\"disturbed\":[1]", "\"disturbed\":[2]"), Contains("/variants/0/disturbed"));
    CHECK_THAT(broken("[2,3]", "[2,-3]"), Contains("/variants/0/seconds"));
    CHECK_THAT(broken("\"warm\"", "\"tepid\""), Contains("/state"));
    CHECK_THAT(broken("\"role\"", "\"rolle\""), Contains("rolle"));
    CHECK_THAT(broken("{\"id\":\"m\"}", "{\"id\":\"m\",\"model\":{}}"), Contains("/machine/model"));
    const TemporaryFolder folder;
    std::string twice = kDocument;
    twice.replace(twice.find("[1,0]"), 5, "[0,null]");
    std::ofstream(folder / "twice.json") << twice;
    CHECK_THAT(complaint([&] { read_recorded_space(folder / "twice.json"); }),
               Contains("a 1, b absent is there twice"));
}
