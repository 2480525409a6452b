// What differs between when the arms of a comparison were tuned and now: planted environments.
#include "tuner/track/run_environment.h"

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/schema_check.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tests/unit/track/track_examples.h"
#include "tuner/track/compare_text.h"
#include "tuner/track/environment_text.h"

using namespace rooftune;
using namespace rooftune::track;
using namespace rooftune::test;
using Catch::Contains;

namespace {

constexpr const char* kMachine = "AuthenticAMD-25-1-1-c4t8n1-w256-32Kx2-512Kx2";

RunEnvironment then() {
    RunEnvironment e = environment_of_then();
    e.machine = kMachine;
    return e;
}

// What a tuned config alone says.
RunEnvironment of_config() {
    RunEnvironment e;
    e.machine = kMachine;
    e.compiler = "GNU 12.2.0";
    e.build = "build";
    return e;
}

std::string whats(const EnvironmentDifference& d) {
    std::string text;
    for (const EnvironmentChange& c : d.changes)
        text += c.arms + " " + c.what + ": " + c.then + " > " + c.now + "\n";
    return text;
}

}  // namespace

TEST_CASE("nothing differs from itself, and all that is known was compared") {
    const EnvironmentDifference d = environment_difference(then(), then(), then());
    CHECK(d.changes.empty());
    CHECK(d.not_recorded.empty());
    CHECK(d.compared.size() == 8);
    CHECK_THAT(environment_text(d),
               Contains("Nothing differs from when they were tuned (machine, processor"));
    CHECK_THAT(environment_text(d), !Contains("Not recorded"));
}

TEST_CASE("each part that differs is told, of the arm or of both") {
    RunEnvironment now = then();
    now.compiler = "GNU 14.2.0";
    now.libc = "glibc 2.41";
    now.kernel = "Linux 6.12.0";
    now.clock_source = "hpet";
    now.processors = 4;
    now.build = "another";
    RunEnvironment candidate = now;
    candidate.kernel = then().kernel;
    CHECK(whats(environment_difference(then(), candidate, now)) ==
          "A processors that may be used: 8 > 4\n"
          "A compiler: GNU 12.2.0 > GNU 14.2.0\n"
          "A build of the kernels: build > another\n"
          "A libc: glibc 2.36 > glibc 2.41\n"
          "A and B kernel: Linux 6.1.0-18-amd64 > Linux 6.12.0\n"
          "A clock source: tsc > hpet\n");
}

TEST_CASE("another machine is taken apart where its fingerprint can be") {
    RunEnvironment now = of_config();
    now.machine = "AuthenticAMD-25-1-1-c4t4n1-w512-32Kx2-512Kx2";
    CHECK(whats(environment_difference(of_config(), of_config(), now)) ==
          "A and B processing units: 8 > 4\nA and B widest vectors, bits: 256 > 512\n");
    now.machine = "toy";
    CHECK_THAT(whats(environment_difference(of_config(), of_config(), now)),
               Contains(std::string("machine: ") + kMachine + " > toy"));
    // Two names of a processor say what its numbers would say again.
    RunEnvironment other = then();
    other.machine = "AuthenticAMD-26-1-1-c4t8n1-w256-32Kx2-512Kx2";
    other.processor = "Another Processor";
    CHECK(whats(environment_difference(then(), other, other)) ==
          "A processor: Some Processor 9 > Another Processor\n");
}

TEST_CASE("what was not recorded then is not compared, and is said") {
    const EnvironmentDifference d = environment_difference(then(), of_config(), then());
    CHECK(d.changes.empty());
    CHECK(d.not_recorded == std::vector<std::string>{"processor of B", "processors that may be used of B",
                                                     "libc of B", "kernel of B", "clock source of B"});
    const EnvironmentDifference bare = environment_difference(of_config(), of_config(), then());
    CHECK(bare.compared == std::vector<std::string>{"machine", "compiler", "build of the kernels"});
    // What neither recorded is in the document alone.
    CHECK(bare.not_recorded.size() == 5);
    CHECK(not_recorded_sentence(bare).empty());
    CHECK_THAT(
        environment_text(bare),
        Contains("Nothing differs from when they were tuned (machine, compiler and build of the kernels)") &&
            !Contains("recorded"));
    CHECK(
        not_recorded_sentence(d) ==
        "Not recorded at that time, so that nobody knows whether it changed: processor, processors that may "
        "be used, libc, kernel and clock source of B.");
    CHECK_THAT(environment_text(bare, true), !Contains("Not recorded"));
    // The same of two kernels is told of the first.
    CompareReport report;
    Comparison comparison;
    comparison.kernel = "spmv";
    comparison.environment = d;
    report.comparisons.assign(2, comparison);
    const std::string text = compare_text(report);
    CHECK(text.find("Not recorded") != std::string::npos);
    CHECK(text.find("Not recorded") == text.rfind("Not recorded"));
}

TEST_CASE("a baseline differs from when it was recorded, and another build of the kernels is told") {
    RunEnvironment now = then();
    now.build = "another";
    EnvironmentDifference d = environment_difference(then(), now, now);
    CHECK(d.base_rebuilt);
    // Of two tuned configs nothing was recorded, and `track report` may know neither.
    CHECK(rebuilt_sentence(d).empty());
    d.base_recorded = true;
    CHECK_THAT(rebuilt_sentence(d), Contains("run by this build") && Contains("track report"));
    CHECK_THAT(environment_sentence(d), Contains("Since A was recorded and B tuned: build of the kernels"));
    CHECK_THAT(environment_text(d), Contains("| since A was recorded and B tuned |"));
    EnvironmentDifference same = environment_difference(then(), now, then());
    same.base_recorded = true;
    CHECK_FALSE(same.base_rebuilt);
    CHECK(rebuilt_sentence(same).empty());
    same.changes.clear();
    CHECK_THAT(environment_sentence(same),
               Contains("Nothing differs from when A was recorded and B was tuned"));
    RunEnvironment unknown = then();
    unknown.build.clear();
    CHECK_FALSE(environment_difference(unknown, now, now).base_rebuilt);
    CHECK_FALSE(environment_difference(then(), now, unknown).base_rebuilt);

    CompareReport report;
    report.comparisons.emplace_back();
    report.comparisons.front().judgement.reason = "as planted";
    report.comparisons.front().environment = d;
    for (const std::string& text :
         {compare_text(report), compare_markdown(report), compare_junit(report, false)})
        CHECK_THAT(text, Contains("As planted.") && Contains("Both are run by this build, which"));
}

TEST_CASE("a comparison shows then and now as a table, and in Markdown as a sentence") {
    CompareReport report;
    Comparison c;
    c.kernel = "spmv";
    c.base = "baseline v1 (v1.0 of 2026-01-04)";
    c.candidate = "new.json";
    c.judgement.reason = "as planted";
    RunEnvironment now = then();
    now.libc = "glibc 2.41";
    now.machine = "AuthenticAMD-25-1-1-c4t8n1-w256-32Kx2-1024Kx2";
    c.environment = environment_difference(then(), of_config(), now);
    report.comparisons = {c, c};
    report.comparisons[1].environment = environment_difference(then(), then(), then());
    check_golden("compare/environment.txt", compare_text(report) + "\n----\n" + compare_markdown(report));
    SchemaCheck schema("configs/schema");
    CHECK(schema.faults(to_json(report), "compare.schema.json").empty());
    Json wrong = to_json(report);
    wrong["verdicts"][0]["environment"]["changes"][0]["arms"] = "C";
    CHECK_FALSE(schema.faults(wrong, "compare.schema.json").empty());
}

TEST_CASE("what there is now is read from the system") {
    const TemporaryFolder root;
    std::filesystem::create_directories(root.file("proc"));
    std::filesystem::create_directories(root.file("sys/devices/system/clocksource/clocksource0"));
    root.write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Some Processor 9\n");
    root.write("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
    const RunEnvironment e = environment_now("here", SystemFiles(root.path()));
    CHECK(e.machine == "here");
    CHECK(e.processor == "Some Processor 9");
    CHECK(e.clock_source == "tsc");
    CHECK(e.processors >= 1);
    CHECK_FALSE(e.compiler.empty());
    CHECK_FALSE(e.build.empty());
    CHECK_THAT(e.kernel, Contains(" "));
    const TemporaryFolder none;
    const RunEnvironment bare = environment_now("here", SystemFiles(none.path()));
    CHECK(bare.processor.empty());
    CHECK(bare.clock_source.empty());
}
