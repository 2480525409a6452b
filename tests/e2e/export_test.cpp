// `rooftune export` from outside: a tuned job in every format, read again, judged by schemas, and refused
// words.
#include <nlohmann/json.hpp>
#include <optional>

#include "tests/support/catch.h"
#include "tests/support/schema_check.h"
#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;
using nlohmann::json;

namespace {

// Two jobs, measured once for all cases: variants that work, that are wrong, and that crash.
const Session& tuned() {
    static const Session session;
    static const bool done = [] {
        for (const char* problem : {"n=2000", "n=1000"}) {
            const Finished f = session.run({"tune", "fault", problem, "--only", "behaviour=good|wrong|crash",
                                            "--only", "level=0|1|5|9", "--exhaustive", "--quiet", "--json"});
            INFO(f.error);
            REQUIRE(f.status == 0);
        }
        return true;
    }();
    REQUIRE(done);
    return session;
}

Finished exported(std::vector<std::string> words) {
    words.insert(words.begin(), {program(), "export"});
    words.insert(words.end(), {"--results", tuned().results()});
    return run(words);
}

json replayed(std::vector<std::string> words) {
    words.insert(words.begin(), {program(), "replay"});
    words.insert(words.end(), {"--json", "--strategy", "random", "--runs", "1"});
    const Finished f = run(words);
    INFO(f.error);
    REQUIRE(f.status == 0);
    return json::parse(f.out);
}

std::string schema_fault(const std::string& text, const std::string& schema) {
    const auto faults = SchemaCheck("configs/schema").faults(Json::parse(text), schema);
    return faults.empty() ? "" : faults.front();
}

// Whether Python's validator accepts a file; nothing where it is not installed.
std::optional<bool> python_accepts(const std::string& file, const std::string& schema) {
    const std::vector<std::string> python{"/usr/bin/env", "python3", "-c"};
    const auto with = [&](const std::string& code) {
        std::vector<std::string> words = python;
        words.push_back(code);
        return run(words).status;
    };
    if (with("import jsonschema") != 0) return std::nullopt;
    const std::string code =
        "import json, jsonschema, sys\n"
        "schema = json.load(open('" +
        schema +
        "'))\n"
        "jsonschema.Draft202012Validator.check_schema(schema)\n"
        "faults = list(jsonschema.Draft202012Validator(schema).iter_errors(json.load(open('" +
        file +
        "'))))\n"
        "sys.exit(7 if faults else 0)\n";
    const int status = with(code);
    INFO("status of Python: " << status);
    REQUIRE((status == 0 || status == 7));
    return status == 0;
}

}  // namespace

TEST_CASE("export: every format but CSV replays to the same best, median and worst as the store") {
    const std::string store = tuned().results() + "/rooftune.db";
    const json truth = replayed({store, "--job", "fault 2000"});
    CHECK(truth.at("space").at("configurations").get<int>() == 8);
    CHECK(truth.at("space").at("valid").get<int>() == 4);
    for (const char* format : {"kernel-tuner", "t4", "rooftune"}) {
        INFO(format);
        for (const char* name : {"space.json", "space.json.gz"}) {
            const std::string file = tuned().folder / name;
            const Finished f = exported({"--format", format, "--job", "fault 2000", "--output", file});
            REQUIRE(f.status == 0);
            CHECK(f.out.empty());
            CHECK_THAT(f.told(), Contains("8 variants of fault 2000"));
            const json read = replayed({file});
            CHECK(read.at("space").at("configurations") == truth.at("space").at("configurations"));
            CHECK(read.at("space").at("valid") == truth.at("space").at("valid"));
            for (const char* figure : {"best", "median", "worst"})
                CHECK(read.at(figure).get<double>() ==
                      Approx(truth.at(figure).get<double>()).epsilon(1e-12).margin(0.0));
        }
    }
}

TEST_CASE("export: T4 and our own format fit their schemas, and Python agrees") {
    const Finished t4 = exported({"--format", "t4"});
    REQUIRE(t4.status == 0);
    CHECK(schema_fault(t4.out, "t4-results.schema.json") == "");
    const Finished own = exported({"--format", "rooftune", "--with-machine", "--machine", tuned().machine()});
    INFO(own.error);
    REQUIRE(own.status == 0);
    CHECK(schema_fault(own.out, "records.schema.json") == "");
    CHECK(json::parse(own.out).at("machine").at("model").at("id") == "toy");

    const std::string good = tuned().folder / "t4.json", bad = tuned().folder / "bad.json";
    json broken = json::parse(t4.out);
    broken.at("results").at(0).at("invalidity") = "bored";
    std::ofstream(good) << t4.out;
    std::ofstream(bad) << broken.dump();
    const auto accepted = python_accepts(good, "configs/schema/t4-results.schema.json");
    if (!accepted) {
        WARN("skipped: python3 with jsonschema is not installed (package python3-jsonschema)");
        return;
    }
    CHECK(*accepted);
    CHECK_FALSE(*python_accepts(bad, "configs/schema/t4-results.schema.json"));
}

TEST_CASE("export: the last job by default, others by number, hash and title") {
    const auto title = [](const std::vector<std::string>& words) {
        std::vector<std::string> all{"--format", "rooftune"};
        all.insert(all.end(), words.begin(), words.end());
        const Finished f = exported(all);
        INFO(f.error);
        REQUIRE(f.status == 0);
        return json::parse(f.out).at("title").get<std::string>();
    };
    CHECK(title({}) == "fault 1000");
    const Finished list = run({program(), "list", "jobs", "--json", "--results", tuned().results()});
    const json first = json::parse(list.out).at("store").at(0);
    CHECK(first.at("title") == "fault 2000");
    CHECK(title({"--job", std::to_string(first.at("number").get<int>())}) == "fault 2000");
    CHECK(title({"--job", first.at("job").get<std::string>().substr(0, 8)}) == "fault 2000");
    CHECK(title({"--job", "FAULT 2"}) == "fault 2000");
}

TEST_CASE("export: CSV has a line for each record, the repeated ones too") {
    const Finished f = exported({"--format", "csv", "--job", "fault 2000"});
    REQUIRE(f.status == 0);
    const auto rows = rows_of(f.out);
    CHECK(rows.size() > 8);
    for (const auto& row : rows) {
        CHECK(!row.at("outcome").empty());
        CHECK(!row.at("behaviour").empty());
        CHECK(row.at("median_seconds").empty() == (row.at("slots") == "0"));
    }
}

TEST_CASE("export and replay: wrong words: status 2, what there is, and no file") {
    const std::string store = tuned().results() + "/rooftune.db";
    const auto complaint = [](std::vector<std::string> words) {
        words.insert(words.begin(), program());
        const Finished f = run(words);
        CHECK(f.status == 2);
        CHECK(f.out.empty());
        return f.told();
    };
    const std::string results = tuned().results(), file = tuned().folder / "never.json";
    CHECK_THAT(complaint({"export", "--results", results}), Contains("--format"));
    CHECK_THAT(complaint({"export", "--format", "xml", "--results", results}), Contains("kernel-tuner"));
    CHECK_THAT(complaint({"export", "--format", "t4", "--job", "matmul", "--results", results}),
               Contains("fault 1000") && Contains("fault 2000"));
    CHECK_THAT(complaint({"export", "--format", "t4", "--job", "fault", "--results", results}),
               Contains("2 jobs"));
    CHECK_THAT(complaint({"export", "--format", "t4", "--with-machine", "--results", results}),
               Contains("--with-machine"));
    CHECK_THAT(complaint({"export", "--format", "rooftune", "--with-machine", "--results", results,
                          "--output", file}),
               Contains("toy.json"));
    CHECK_THAT(complaint({"export", "--format", "rooftune", "--machine", "tpu-v5e", "--results", results}),
               Contains("tpu-v5e") && Contains("toy"));
    CHECK_THAT(complaint({"export", "--format", "t4", "--results", tuned().folder / "nowhere"}),
               Contains("there is no store yet"));
    CHECK_FALSE(std::filesystem::exists(file));
    CHECK_THAT(complaint({"replay", store}), Contains("holds 2 jobs") && Contains("fault 1000"));
    CHECK_THAT(complaint({"replay", "tests/golden/machines/a.json", "--job", "1"}), Contains("rooftune.db"));
}

TEST_CASE("replay: curves as a plot") {
    const std::string file = tuned().folder / "curves.svg";
    const Finished f = run(
        {program(), "replay", "results/spaces/matmul_256.json.gz", "--runs", "3", "--svg", file, "--quiet"});
    REQUIRE(f.status == 0);
    CHECK(f.error.empty());
    const std::string svg = contents(file);
    CHECK_THAT(svg, Contains("</svg>") && Contains("genetic") && Contains("matmul"));
}

TEST_CASE("replay: without a score there is no plot of its curves, and that is told") {
    const std::string store = tuned().results() + "/rooftune.db", file = tuned().folder / "none.svg";
    std::vector<std::string> words{program(),    "replay", store, "--job",
                                   "fault 2000", "--runs", "3",   "--quiet"};
    words.emplace_back("--json");
    const bool has_score = !json::parse(run(words).out).contains("no_score");
    words.back() = "--svg";
    words.push_back(file);
    const Finished f = run(words);
    REQUIRE(f.status == 0);
    CHECK(std::filesystem::exists(file) == has_score);
    CHECK((f.told().find("none.svg: not written, since it would show curves of a score") ==
           std::string::npos) == has_score);
    CHECK_THAT(f.out, Contains("latest record of each variant"));
}
