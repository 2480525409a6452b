// The store in words: golden texts of planted values, and values that are none.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/example_records.h"
#include "tests/support/golden.h"
#include "tests/unit/chart/fixtures.h"
#include "tuner/base/text_width.h"
#include "tuner/formats/result_json.h"
#include "tuner/results/store_json.h"
#include "tuner/results/store_text.h"
#include "tuner/results/store_view.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

JobSummary example_job() {
    JobSummary job;
    job.id = 3;
    job.key.family = "spmv";
    job.key.problem = {{"matrix", "ship.mtx"}, {"dtype", "f64"}};
    job.key.digest = "d1g3st";
    job.key.dtype = "f64";
    job.key.state = "warm";
    job.key.threads = 2;
    job.key.machine_id = "intel-6-143-8-2t";
    job.key.space_version = 3;
    job.key.build = "b41ld";
    job.key.title = "spmv ship, f64";
    job.created = "2024-05-31T17:00:00Z";
    job.last_run = "2024-06-01T09:00:00Z";
    job.records = 7;
    job.superseded = 2;
    job.runs = 2;
    return job;
}

ResultGlance example_glance() {
    return {{{"format", "sell"}, {"chunk", "16"}},
            {1.4e-3, 1.38e-3, 1.42e-3, 1.37e-3, 24},
            0.88,
            0.93,
            {0.12, 0.11, 0.14},
            "patience"};
}

std::vector<StoredRecord> some_records() {
    ExampleRecords e;
    const auto slots = [](double seconds, int count) {
        return std::vector<Slot>(static_cast<std::size_t>(count), Slot{seconds, 10, false});
    };
    e.add("format=csr,threads=1", record_with(Outcome::measured, slots(2e-3, 8), "reference"));
    e.add("format=sell,chunk=16", record_with(Outcome::measured, slots(1.4e-3, 8)));
    e.add("format=sell,chunk=32", record_with(Outcome::raced_out, slots(1.2e-3, 2)));
    e.add("format=sell,chunk=16", record_with(Outcome::measured, slots(1.5e-3, 12), "finals"));
    e.add("format=sell,chunk=64", record_with(Outcome::crashed, {}, "search", "signal 11 | at once\nnow"));
    e.add("format=sell,chunk=8", record_with(Outcome::measured, {}));
    e.add("format=sell,chunk=64", record_with(Outcome::crashed, {}, "search", "signal 11"));
    return e.records;
}

JobView example_view() {
    const std::vector<StoredRecord> records = some_records();
    JobView view{
        {example_job(), example_glance(), true}, outcomes_of(records), {}, fastest_of(records, 10), {}};
    view.runs.push_back({{1, 3, "2024-05-31T17:00:00Z", "", ""}, std::nullopt});
    view.runs.push_back({{2, 3, "2024-06-01T09:00:00Z", "2024-06-01T09:01:00Z", "{}"}, example_glance()});
    return view;
}

PruneReport example_prune() {
    PruneReport report;
    report.plan.jobs = {
        {3, "0123456789abcdef", "spmv ship, f64", "cpu", "warm", 5, 1, 5400, 2, 1, false},
        {4, "fedcba9876543210", "matmul 64×64×64, f64", "opencl pocl-cpu", "cold", 1, 1, 300, 0, 0, true}};
    report.plan.record_ids = {1, 2, 3, 4, 5, 9};
    report.plan.run_ids = {1, 3};
    report.plan.job_ids = {4};
    report.plan.bytes = 5700;
    return report;
}

}  // namespace

TEST_CASE("store texts: golden", "[store_text]") {
    JobLine other{example_job(), std::nullopt, false};
    other.job.id = 4;
    other.job.last_run.clear();
    check_golden("report/store_list.txt", list_text({{example_job(), example_glance(), true}, other}));
    JobView view = example_view();
    std::string shown = job_text(view) + "\n----\n";
    view.records = some_records();
    shown += job_text(view);
    check_golden("report/store_job.txt", shown);
    PruneReport prune = example_prune();
    std::string pruned = prune_text(prune, "rooftune results prune --job 3 --yes") + "\n----\n";
    prune.done = true;
    prune.bytes_before = 120'000;
    prune.bytes_after = 90'000;
    pruned += prune_text(prune, "") + "\n----\n";
    prune.not_shrunk = "disk is full";
    pruned += prune_text(prune, "") + "\n----\n" + prune_text({}, "");
    check_golden("report/store_prune.txt", pruned);
    ImportReport import;
    import.jobs = {1, 2};
    import.runs = {2, 1};
    import.records = {40, 7};
    import.completed_runs = 1;
    import.superseded = 3;
    import.machines = {{"m1", 2}, { "m2", 1 }};
    std::string imported = import_text(import, "/tmp/other.db") + "\n----\n";
    ImportReport nothing;
    nothing.records = {0, 47};
    nothing.left_out = {"/tmp/other.db is damaged: 47 records of 1 job were kept, 3 could not be read"};
    imported += import_text(nothing, "/tmp/other.db") + "\n----\n";
    nothing.interrupted = true;
    imported += import_text(nothing, "/tmp/other.db");
    check_golden("report/store_import.txt", imported);
    StoreState state;
    state.version = 2;
    state.bytes = 57'344;
    state.jobs = 1;
    state.runs = 2;
    state.records = 50;
    state.superseded = 3;
    std::string checked = check_text(state, "/tmp/rooftune.db") + "\n----\n";
    state.faults = {{"records", 4, "its checksum does not fit its contents"},
                    {"history", 1, "what it holds is no JSON object"}};
    state.more_faults = 2;
    checked += check_text(state, "/tmp/rooftune.db") + "\n----\n";
    state.damage = {"row 7 missing from index records_of_job"};
    checked += check_text(state, "/tmp/rooftune.db");
    check_golden("report/store_check.txt", checked);
    check_golden("report/store_export.txt",
                 export_text({1, 2, 50, 1, 57'344, {"record 4: its checksum does not fit its contents"}},
                             "/tmp/moved.db"));
}

TEST_CASE("store view: outcomes are counted, and the fastest is of the record that counts", "[store_text]") {
    const auto records = some_records();
    const auto outcomes = outcomes_of(records);
    REQUIRE(outcomes.size() == 3);
    CHECK(outcomes[0].outcome == Outcome::measured);
    CHECK(outcomes[0].records == 4);
    CHECK(outcomes[0].variants == 3);
    CHECK(outcomes[2].records == 2);
    CHECK(outcomes[2].variants == 1);
    const auto fastest = fastest_of(records, 10);
    REQUIRE(fastest.size() == 2);  // neither the sample of two slots nor the one without a time
    CHECK(fastest[0].variant == "format=sell,chunk=16");
    CHECK(fastest[0].seconds.median == 1.5e-3);  // the finals' record, although an earlier one was faster
    CHECK(fastest[0].role == "finals");
    CHECK(fastest_of(records, 1).size() == 1);
    CHECK(fastest_of(records, 0).empty());
    CHECK(fastest_of({}, 5).empty());
    CHECK(outcomes_of({}).empty());
}

TEST_CASE("store view: the time of a finalist is over all processes of its finals", "[store_text]") {
    ExampleRecords e;
    const auto finals = [&](const char* variant, double seconds, std::size_t count, RunId run = 1) {
        e.add(variant,
              record_with(Outcome::measured, std::vector<Slot>(count, Slot{seconds, 10, false}), "finals"));
        e.records.back().run = run;
    };
    finals("v=1", 1.0e-3, 12);
    finals("v=2", 2.0e-3, 12);
    finals("v=3", 9.0e-3, 12);  // far behind: in the first process alone
    finals("v=1", 1.2e-3, 20);
    finals("v=2", 2.2e-3, 9);  // not in all rounds of this process, which does not count for it
    finals("v=1", 1.3e-3, 9);
    finals("v=2", 2.4e-3, 9);
    for (const char* variant : {"v=4", "v=1"}) {  // the winner in turn with one that the audit found
        e.add(variant, record_with(Outcome::measured, eight_slots(5e-3), "audit"));
        e.records.back().run = 1;
    }
    const auto fastest = fastest_of(e.records, 10);
    REQUIRE(fastest.size() == 4);
    CHECK(fastest[0].seconds.slots == 41);
    CHECK(fastest[0].seconds.median == 1.2e-3);
    CHECK(fastest[0].when == e.records[5].record.when);
    CHECK(fastest[1].seconds.slots == 21);
    CHECK(fastest[1].seconds.median == 2.0e-3);
    CHECK(fastest[3].seconds.slots == 12);
    // The finals after an audit, and those of another run, stand for themselves.
    finals("v=1", 0.9e-3, 10);
    CHECK(fastest_of(e.records, 1)[0].seconds.median == 0.9e-3);
    CHECK(fastest_of(e.records, 1)[0].seconds.slots == 10);
    finals("v=1", 1.1e-3, 8, 2);
    CHECK(fastest_of(e.records, 1)[0].seconds.slots == 8);
    // Who answered wrongly in a later process has no time.
    e.add("v=1", record_with(Outcome::wrong, {}, "finals"));
    e.records.back().run = 2;
    CHECK(fastest_of(e.records, 1)[0].variant == "v=2");
}

TEST_CASE("store view: a result at a glance, of this version and of texts that are none", "[store_text]") {
    const TuneResult result = spmv_result();
    const auto glance = glance_at(to_json(result).dump());
    REQUIRE(glance);
    CHECK(glance->variant == result.best);
    CHECK(glance->seconds.median == result.seconds.median);
    CHECK(glance->seconds.slots == result.seconds.slots);
    CHECK(glance->fraction_of_problem_roof == result.fraction_of_problem_roof);
    CHECK(glance->gap.value == result.certificate.gap);
    CHECK(glance->stopped_by == result.certificate.stopped_by);
    for (const char* text : {"", "{", "[]", "7", "null", "{}", "{\"best\": {}}"})
        CHECK_FALSE(glance_at(text));
    // Odd ones are read as far as they go.
    const auto odd = glance_at(
        R"({"certificate": 5, "best": {"variant": [1], "seconds": {"median": "x", "slots": 1e99}}})");
    REQUIRE(odd);
    CHECK(odd->variant.empty());
    CHECK(std::isnan(odd->seconds.median));
    CHECK(std::isnan(odd->gap.value));
    CHECK(glance_at(R"({"certificate": {}, "best": null})")->variant.empty());
}

TEST_CASE("store texts: the list of jobs is a table on any page, and says what it has no room for",
          "[store_text]") {
    JobLine here{example_job(), example_glance(), true}, cold{example_job(), std::nullopt, true};
    here.job.key.machine_id = cold.job.key.machine_id = "AuthenticAMD-26-2-1-c2t2n1-w512-48K-1024K-32768Kx2";
    cold.job.id = 14;
    cold.job.key.state = "cold";
    for (int columns = 40; columns <= 220; ++columns) {
        const std::string text = list_text({here, cold}, columns);
        INFO(columns << "\n" << text);
        CHECK_THAT(text, Catch::Matchers::StartsWith("| ") && Contains("problem") && Contains("best"));
        for (const std::string& line : golden_lines(text)) CHECK(display_width(line) <= columns);
        // Which of the two it is, is told at any width.
        CHECK_THAT(text, Contains("cold"));
    }
    const std::string narrow = list_text({here, cold}, 100);
    CHECK_THAT(narrow, Contains("All are of this machine.") &&
                           Contains("Not shown, because the page is narrow: name") && !Contains("machine |"));
    CHECK_THAT(list_text({here, cold}, 220), Contains("| machine") && !Contains("Not shown"));
}

TEST_CASE("store texts: jobs that would look alike are told by threads, else by when, and only those",
          "[store_text]") {
    JobLine one{example_job(), example_glance(), true}, threads = one, again = one, other = one;
    threads.job.id = 21;
    threads.job.key.threads = one.job.key.threads + 1;
    again.job.id = 22;
    again.job.key.build = "an0ther";
    again.job.last_run = "2026-12-24T18:00:00Z";
    other.job.id = 23;
    other.job.key.title = "another problem";
    const auto words = [](std::string text) {
        std::erase_if(text, [](char c) { return c == '\n' || c == '|' || c == ' '; });
        return text;
    };
    int told = 0;
    for (int columns = 40; columns <= 100; ++columns) {
        const std::string text = list_text({one, threads, again, other}, columns);
        INFO(columns << "\n" << text);
        CHECK_THAT(words(text), Contains("2026-12-24T18:00:00Z"));
        const bool has_threads = text.find("| threads") != std::string::npos;
        CHECK((words(text).find("3threads") != std::string::npos) == !has_threads);
        // The last one looks like no other.
        CHECK_THAT(words(text), Contains("anotherproblem") && !Contains("anotherproblem,"));
        told += has_threads ? 0 : 1;
    }
    CHECK(told > 0);
    // Where the columns are there, nothing is said twice.
    const std::string wide = list_text({one, threads, again, other}, kWidestPage);
    CHECK_THAT(wide, !Contains("3 threads"));
    CHECK_THAT(words(list_text({one, other}, 45)), !Contains("2threads"));
}

TEST_CASE("store texts: variants are spelt so that they can be pasted back", "[store_text]") {
    JobView view = example_view();
    REQUIRE_FALSE(view.best.empty());
    view.best.front().values = {{"tile", "16"}, {"unroll", "4"}};
    const std::string text = job_text(view);
    CHECK_THAT(text, Contains("tile=16,unroll=4") || Contains("tile=16, unroll=4"));
}

TEST_CASE("store texts: a gap that noisy times leave open is no limit", "[store_text]") {
    JobView view = example_view();
    REQUIRE_FALSE(view.runs.empty());
    view.runs.back().best = example_glance();
    view.runs.back().best->gap = {0.12, 0.05, 2860.0};
    const Json document = job_json(view, "s", false);
    CHECK(document["runs"].back()["gap"] == 0.12);
    CHECK(document["runs"].back()["gap_low"] == 0.05);
    CHECK(document["runs"].back()["gap_high"] == 2860.0);
    setenv("COLUMNS", "200", 1);  // so that no cell is broken
    CHECK_THAT(job_text(view), Contains("not known, too noisy"));
    view.runs.back().best->gap.high = 0.14;
    CHECK_THAT(job_text(view), !Contains("not known"));
    setenv("COLUMNS", "100", 1);
}

TEST_CASE("store texts: the ends of a gap are read as they were written", "[store_text]") {
    const auto gap_of = [](const std::string& certificate) {
        return glance_at(R"({"best": {}, "certificate": )" + certificate + "}")->gap;
    };
    CHECK(gap_of(R"({"gap": 0.2, "gap_low": 0.1, "gap_high": 0.3})").high == 0.3);
    CHECK(gap_of(R"({"gap": 0.2})").high == 0.2);  // an older result
    CHECK(std::isinf(gap_of(R"({"gap": 0.2, "gap_low": 0.1, "gap_high": null})").high));
}

TEST_CASE("store texts: values that are none are shown as such", "[store_text]") {
    ResultGlance none{{{"a", "b"}}, {kNaN, kNaN, kNaN, kNaN, 0}, kNaN, kNaN, {kNaN, kNaN, kNaN}, ""};
    JobView view = example_view();
    view.line.best = none;
    for (RunLine& run : view.runs) run.best = none;
    const std::string text = list_text({view.line}) + list_text({view.line}, kWidestPage) + job_text(view);
    CHECK(text.find("nan") == std::string::npos);
    none.variant.clear();
    CHECK_THAT(list_text({{example_job(), none, false}}), Contains("no winner"));
    CHECK_THAT(list_text({}, kWidestPage), Contains("| job"));
    const Json document = job_json(view, "s", true);
    CHECK(document["runs"][0]["gap"].is_null());
    CHECK(document["records"].empty());
    CHECK_FALSE(job_json(view, "s", false).contains("records"));
    // A line break or a bar in a title breaks no table.
    JobLine odd{example_job(), std::nullopt, false};
    odd.job.key.title = "a | b\nc";
    CHECK(golden_lines(list_text({odd}, kWidestPage)).size() == 3);
}

TEST_CASE("store texts: a run with a result, without one, and with one of another version", "[store_text]") {
    const JobLine job{example_job(), std::nullopt, true};
    RunLine run{{2, 3, "2024-06-01T09:00:00Z", "2024-06-01T09:01:00Z", to_json(spmv_result()).dump()},
                std::nullopt};
    CHECK_THAT(run_text(run, job), Contains("Run 2 of job 3") && Contains("naive"));
    // What tells two jobs of one problem apart.
    JobLine device = job;
    device.job.key.backend = "opencl pocl-cpu";
    device.job.key.state = "cold";
    CHECK_THAT(run_text(run, device), Contains("cold") && Contains("opencl pocl-cpu"));
    Json older = to_json(spmv_result());
    older["schema"] = "rooftune/tune-result/2";
    run.run.result = older.dump();
    CHECK_THAT(run_text(run, job), Contains("the result of run 2") && Contains("--json"));
    run.run.result.clear();
    CHECK_THAT(run_text(run, job), Contains("left no result"));
}
