// Records written in each format, read again, and judged by the format's own rules.
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "kernels/contract/family.h"
#include "tests/support/catch.h"
#include "tests/support/example_records.h"
#include "tests/support/golden.h"
#include "tests/support/process.h"
#include "tests/support/schema_check.h"
#include "tuner/base/gzip.h"
#include "tuner/base/text_lines.h"
#include "tuner/formats/machine_file.h"
#include "tuner/replay/export_formats.h"
#include "tuner/replay/rooftune_file.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

RecordedJob example() {
    const ExampleRecords e = example_records();
    return recorded_job(e.job, e.records);
}

RecordedSpace read_back(const std::string& text, const std::string& name = "space.json") {
    const TemporaryFolder folder;
    std::ofstream(folder / name, std::ios::binary) << text;
    return read_recorded_space(folder / name);
}

// By the names and texts of parameters, which each format puts in an order of its own.
std::map<std::map<std::string, std::string>, RecordedConfiguration> by_name(const RecordedSpace& space) {
    std::map<std::map<std::string, std::string>, RecordedConfiguration> all;
    for (const RecordedConfiguration& c : space.configurations) {
        std::map<std::string, std::string> values;
        for (std::size_t p = 0; p < c.values.size(); ++p)
            values[space.parameters[p].name] =
                space.parameters[p].values.at(static_cast<std::size_t>(c.values[p]));
        all[values] = c;
    }
    return all;
}

// Times go through milliseconds, so the last digit may differ.
void check_same(const RecordedSpace& read, const RecordedSpace& written) {
    const auto close = [](double value) { return Approx(value).epsilon(1e-12).margin(0.0); };
    REQUIRE(read.configurations.size() == written.configurations.size());
    const auto a = by_name(read), b = by_name(written);
    REQUIRE(a.size() == b.size());
    for (const auto& [values, c] : b) {
        INFO(Json(values).dump());
        REQUIRE(a.contains(values));
        const RecordedConfiguration& found = a.at(values);
        REQUIRE(found.seconds.has_value() == c.seconds.has_value());
        if (c.seconds) CHECK(*found.seconds == close(*c.seconds));
        CHECK(found.failure.empty() == c.failure.empty());
        REQUIRE(found.samples.size() == c.samples.size());
        for (std::size_t i = 0; i < c.samples.size(); ++i) CHECK(found.samples[i] == close(c.samples[i]));
        CHECK(found.cost == close(c.cost));
    }
    const std::vector<double> sorted = read.sorted(), expected = written.sorted();
    REQUIRE(!sorted.empty());
    CHECK(sorted.front() == close(expected.front()));
    CHECK(sorted[sorted.size() / 2] == close(expected[expected.size() / 2]));
    CHECK(sorted.back() == close(expected.back()));
}

std::string failure_of(const RecordedSpace& space, const std::string& chunk, const std::string& threads) {
    return by_name(space)
        .at({{"format", "sell"}, {"chunk", chunk}, {"shape", "0.5"}, {"threads", threads}})
        .failure;
}

std::string first_fault(const Json& document, const std::string& schema) {
    const auto faults = SchemaCheck("configs/schema").faults(document, schema);
    return faults.empty() ? "" : faults.front();
}

Json without_key(Json document, const std::string& key) {
    document.erase(key);
    return document;
}

Json at_path(Json document, const std::string& pointer, const Json& value) {
    document[Json::json_pointer(pointer)] = value;
    return document;
}

}  // namespace

TEST_CASE("the formats as they were approved") {
    const ExampleRecords e = example_records();
    check_golden("export/kernel_tuner.json", kernel_tuner_text(example()));
    check_golden("export/t4.json", t4_text(example(), "1.2.3"));
    check_golden("export/records.csv", csv_text(example(), e.records));
    check_golden("export/records.json", rooftune_text(example(), false));
}

TEST_CASE("Kernel Tuner: what is written is read back, failures as its own words") {
    const RecordedSpace read = read_back(kernel_tuner_text(example()));
    check_same(read, example().space);
    CHECK(failure_of(read, "4", "1") == "RuntimeFailedConfig");      // wrong
    CHECK(failure_of(read, "8", "1") == "RuntimeFailedConfig");      // crashed
    CHECK(failure_of(read, "4", "2") == "RuntimeFailedConfig");      // timed out
    CHECK(failure_of(read, "8", "2") == "CompilationFailedConfig");  // does not build
    CHECK(read.name == "spmv \"ship\", f64 on intel-6-143-8-2t");
}

TEST_CASE("Kernel Tuner: the layout that its reader and its appending rely on") {
    const std::string text = kernel_tuner_text(example());
    // Taken for closed only with these three characters at the end, which it cuts off to append.
    CHECK(text.ends_with("}}\n}\n"));
    const Json document = Json::parse(text);
    CHECK(document.at("problem_size") == Json::array({120}));
    CHECK(document.at("tune_params").at("chunk") == Json::array({4, 8, 16, "absent"}));
    CHECK(document.at("tune_params").at("shape") == Json::array({0.5, "absent"}));
    for (const auto& [key, entry] : document.at("cache").items()) {
        std::string expected;
        for (const Json& name : document.at("tune_params_keys")) {
            const Json& value = entry.at(name.get<std::string>());
            expected +=
                (expected.empty() ? "" : ",") + (value.is_string() ? value.get<std::string>() : value.dump());
            bool listed = false;
            for (const Json& v : document.at("tune_params").at(name.get<std::string>()))
                listed = listed || v == value;
            CHECK(listed);
        }
        CHECK(key == expected);
        for (const char* part :
             {"compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time"})
            CHECK(entry.at(part).is_number());
        CHECK(entry.at("timestamp").is_string());
        CHECK(entry.at("time").is_number() == entry.contains("times"));
    }
    RecordedJob none = example();
    none.records.clear();
    none.space.configurations.clear();
    CHECK(Json::parse(kernel_tuner_text(none)).at("cache").empty());
    none.key.problem = {{"matrix", "a.mtx"}};
    CHECK(Json::parse(kernel_tuner_text(none)).at("problem_size") == Json::array({1}));
}

TEST_CASE("T4: read back, and by its schema") {
    const Json document = Json::parse(t4_text(example(), "1.2.3"));
    const RecordedSpace read = read_back(document.dump());
    check_same(read, example().space);
    CHECK(first_fault(document, "t4-results.schema.json") == "");
    std::map<std::string, int> invalidity;
    for (const Json& r : document.at("results")) {
        ++invalidity[r.at("invalidity").get<std::string>()];
        CHECK(r.at("correctness") == (r.at("invalidity") == "correct" ? 1 : 0));
    }
    CHECK(invalidity ==
          std::map<std::string, int>{
              {"correct", 3}, {"correctness", 1}, {"runtime", 1}, {"timeout", 1}, {"compile", 1}});
    // The schema is not one that any document fits.
    for (const Json& bad :
         {at_path(document, "/results/0/invalidity", "fine"),
          at_path(document, "/results/0/times/compile", 1), at_path(document, "/results/0/correctness", 0.5),
          at_path(document, "/metadata/timeunit", "miliseconds"),
          at_path(document, "/results/0/configuration", Json::object())})
        CHECK(first_fault(bad, "t4-results.schema.json") != "");
    RecordedJob device = example();
    device.key.backend = "opencl pocl-cpu";
    const Json metadata = Json::parse(t4_text(device, "1")).at("metadata");
    CHECK(metadata.at("compute_api") == "OpenCL");
    CHECK(metadata.at("device") == "pocl-cpu");
}

TEST_CASE("every outcome has a word in the others' formats") {
    const std::map<std::string, std::string> t4{{"measured", "correct"},         {"raced_out", "correct"},
                                                {"wrong", "correctness"},        {"crashed", "runtime"},
                                                {"illegal", "runtime"},          {"timed_out", "timeout"},
                                                {"out_of_memory", "runtime"},    {"unbuildable", "compile"},
                                                {"out_of_resources", "runtime"}, {"environment", "runtime"}};
    for (const auto& [name, word] : t4) {
        Outcome outcome{};
        REQUIRE(outcome_from(name, outcome));
        CHECK(t4_invalidity(outcome) == word);
        if (is_failure(outcome))
            CHECK(kernel_tuner_failure(outcome) ==
                  (name == "unbuildable" ? "CompilationFailedConfig" : "RuntimeFailedConfig"));
    }
}

TEST_CASE("our own format: read back to the last digit, plain and compressed") {
    const RecordedJob written = example();
    const std::string text = rooftune_text(written, false);
    CHECK(first_fault(Json::parse(text), "records.schema.json") == "");
    CHECK(read_back(text).configurations == written.space.configurations);
    CHECK(read_back(gzipped(text), "space.json.gz").configurations == written.space.configurations);
    const RecordedJob read = from_rooftune_records(Json::parse(text), "r.json");
    CHECK(read.space.parameters == written.space.parameters);
    CHECK(read.space.name == written.space.name);
    CHECK(read.space.drawn == Drawn::searched);
    RecordedJob fair = written;
    fair.space.drawn = Drawn::uniform;
    const Json fair_document = Json::parse(rooftune_text(fair, false));
    CHECK(first_fault(fair_document, "records.schema.json") == "");
    CHECK(from_rooftune_records(fair_document, "r.json").space.drawn == Drawn::uniform);
    // What was written before there was such a word.
    const RecordedJob older = from_rooftune_records(without_key(Json::parse(text), "drawn"), "r.json");
    CHECK(older.space.drawn == Drawn::unknown);
    // The folder of a file stays at home.
    CHECK(read.key.problem == ProblemSpec{{"matrix", "ship.mtx"}, {"dtype", "f64"}, {"nx", "120"}});
    CHECK(read.key.canonical() == written.key.canonical());
    CHECK(read.created == written.created);
    REQUIRE(read.records.size() == written.records.size());
    for (std::size_t i = 0; i < read.records.size(); ++i) {
        const Record &a = read.records[i], &b = written.records[i];
        CHECK(a.variant == b.variant);
        CHECK(a.outcome == b.outcome);
        CHECK(a.detail == b.detail);
        CHECK(a.error == b.error);
        CHECK(a.prepare_seconds == b.prepare_seconds);
        CHECK(a.role == b.role);
        CHECK(a.when == b.when);
        REQUIRE(a.slots.size() == b.slots.size());
        for (std::size_t s = 0; s < a.slots.size(); ++s) {
            CHECK(a.slots[s].seconds == b.slots[s].seconds);
            CHECK(a.slots[s].repetitions == b.slots[s].repetitions);
            CHECK(a.slots[s].disturbed == b.slots[s].disturbed);
        }
    }
}

TEST_CASE("our own format: with the machine, and with a value that is spelled as its absence") {
    RecordedJob job = example();
    job.machine = read_machine_file("tests/golden/machines/a.json");
    job.key.machine_id = job.machine->id;
    const std::string text = rooftune_text(job, true);
    CHECK(first_fault(Json::parse(text), "records.schema.json") == "");
    const RecordedJob read = from_rooftune_records(Json::parse(text), "r.json");
    REQUIRE(read.machine);
    CHECK(machine_to_json(*read.machine) == machine_to_json(*job.machine));
    CHECK(device_name(read) == job.machine->name);

    ExampleRecords e = example_records();
    e.add("format=sell,chunk=absent,shape=0.5,threads=1",
          record_with(Outcome::raced_out, {{1e-2, 1, false}}));
    const RecordedJob odd = recorded_job(e.job, e.records);
    const RecordedJob odd_read = from_rooftune_records(Json::parse(rooftune_text(odd, false)), "r.json");
    CHECK(odd_read.space.configurations == odd.space.configurations);
    CHECK(odd_read.records.back().variant.at("chunk") == "absent");
    CHECK_FALSE(odd_read.records.front().variant.contains("chunk"));
    check_same(read_back(kernel_tuner_text(odd)), odd.space);
}

TEST_CASE("bytes that are no text do not end an export") {
    RecordedJob job = example();
    job.records[3].detail = "log \xff\xfe";
    CHECK(Json::parse(rooftune_text(job, false)).at("variants").size() == job.records.size());
    CHECK(Json::parse(t4_text(job, "1")).at("results").size() == job.records.size());
}

TEST_CASE("CSV: a line a record, columns named with their units, odd texts quoted") {
    ExampleRecords e = example_records();
    e.add("format=csr,threads=1,role=big", record_with(Outcome::raced_out, {{3e-3, 10, false}}));
    const std::string text = csv_text(recorded_job(e.job, e.records), e.records);
    std::size_t lines = 0;
    for (std::size_t at = text.find("\r\n"); at != std::string::npos; at = text.find("\r\n", at + 2)) ++lines;
    CHECK(lines == e.records.size() + 1);
    CHECK(text.ends_with("\r\n"));
    const auto rows = lines_of("a.csv", text);
    const auto cells = [&](std::size_t i) { return cells_of("csv", rows.at(i)); };
    std::map<std::string, std::size_t> column;
    for (const auto& cell : cells(0)) column.emplace(cell.text, column.size());
    CHECK(column.size() == cells(0).size());  // none twice, also with a parameter named like a column
    CHECK(column.contains("parameter_role"));
    const auto value = [&](std::size_t row, const std::string& name) {
        return cells(row).at(column.at(name)).text;
    };
    CHECK(value(1, "median_seconds") == "0.003");
    CHECK(value(1, "low_seconds").empty());  // one slot has no interval
    CHECK(!value(2, "low_seconds").empty());
    CHECK(value(2, "slots") == "8");
    CHECK(value(2, "disturbed_slots") == "1");
    CHECK(value(1, "chunk").empty());
    CHECK(value(4, "chunk") == "16");
    CHECK(value(5, "median_seconds").empty());
    CHECK(value(5, "detail") == "y[3] is 1, not 2");
    CHECK_THAT(text, Catch::Contains("\"error: \"\"x\"\"\nline 2\""));
}

TEST_CASE("compressed: unpacked by the reader, the same bytes every time, any length") {
    std::mt19937_64 random(1);
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{65536}, std::size_t{300000}}) {
        std::string text(size, '\0');
        for (char& c : text) c = static_cast<char>(random());
        const TemporaryFolder folder;
        std::ofstream(folder / "x.gz", std::ios::binary) << gzipped(text);
        CHECK(read_import(folder / "x.gz") == text);
        CHECK(gzipped(text) == gzipped(text));
    }
}
