// What is printed of synthetic comparisons: text, Markdown, JUnit XML and JSON, and the exit status.
#include "tuner/measure/comparison.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/schema_check.h"
#include "tests/unit/chart/svg_check.h"
#include "tuner/formats/result_json.h"
#include "tuner/track/compare_text.h"

using namespace rooftune;
using namespace rooftune::track;
using namespace rooftune::test;
using Catch::Contains;

namespace {

RoundTimes steady(int rounds, double ratio) {
    RoundTimes times;
    for (int i = 0; i < rounds; ++i) {
        // A little noise, so that intervals have a width: its neighbours do not correlate at any look.
        static constexpr int kPattern[] = {3,  -2, -5, 2, -6, 5,  -4, -8, 9, 7,
                                           -9, -1, 8,  4, -7, -3, 6,  1,  0, 2};
        const double wiggle = 0.002 * kPattern[i % 20] / 9.0;
        times.base.push_back(0.1);
        times.candidate.push_back(0.1 * ratio * (1.0 + wiggle));
        times.again.push_back(0.1 * (1.0 - 0.5 * wiggle));
        times.control.push_back(0.02);
    }
    return times;
}

Comparison kernel(const std::string& name, double ratio, int rounds, const Roof& roof) {
    Comparison c;
    c.kernel = name;
    c.base = "main/" + name + ".json";
    c.candidate = "new/" + name + ".json";
    c.base_variant = "SELL-16-512 on 2 threads";
    c.candidate_variant = "SELL-8-256 on 2 threads";
    c.judgement = judge(steady(rounds, ratio), 0.03);
    c.base_seconds = 0.1;
    c.candidate_seconds = 0.1 * ratio;
    c.control = "load, 64 MiB, 2 threads";
    c.room = head_room(roof, c.base_seconds, c.candidate_seconds);
    return c;
}

CompareReport example() {
    CompareReport report;
    report.machine = "some-machine";
    const Roof roof{0.08, 0.086, 0.0862};
    const Roof fallen{0.08, 0.09, 0.08};
    report.comparisons.push_back(kernel("regressed", 1.075, 10, roof));
    report.comparisons.push_back(kernel("improved & <odd> \"name\"|", 0.95, 10, fallen));
    report.comparisons.push_back(kernel("unchanged", 1.001, 20, roof));
    report.comparisons.push_back(kernel("unchanged under a lower roof", 1.001, 10, fallen));
    report.comparisons.push_back(kernel("inconclusive", 1.03, 40, {0.08, 0.086, 0.0}));
    Comparison failed;
    failed.kernel = "./old → ./new";
    failed.base = "./old";
    failed.candidate = "./new";
    failed.judgement = invalid("B gave no time in round 3: signal: Segmentation fault", 0.03);
    failed.judgement.rounds = 2;
    failed.control = "a chain of products on one thread";
    report.comparisons.push_back(failed);
    Comparison programs = kernel("./a", 1.0, 10, {});
    programs.base_variant = programs.candidate_variant = "";
    programs.dropped = 2;
    report.comparisons.push_back(programs);
    report.only_base = {KernelName{"gone"}};
    report.only_candidate = {KernelName{"fresh"}};
    return report;
}

/// The same document with six significant digits: the last ones are the platform's.
Json rounded(Json json) {
    if (json.is_number_float()) return std::stod(fmt::format("{:.6g}", json.get<double>()));
    if (json.is_structured()) {
        for (auto& member : json) member = rounded(member);
    }
    return json;
}

CompareReport with(std::initializer_list<Verdict> verdicts) {
    CompareReport report;
    for (const Verdict v : verdicts) {
        Comparison c;
        c.judgement.verdict = v;
        report.comparisons.push_back(c);
    }
    return report;
}

}  // namespace

TEST_CASE("the example holds every verdict") {
    const CompareReport report = example();
    const Verdict expected[] = {Verdict::regressed, Verdict::improved,     Verdict::unchanged,
                                Verdict::unchanged, Verdict::inconclusive, Verdict::invalid,
                                Verdict::unchanged};
    for (std::size_t i = 0; i < report.comparisons.size(); ++i)
        CHECK(report.comparisons[i].judgement.verdict == expected[i]);
}

TEST_CASE("comparisons as text, Markdown, JUnit XML and JSON") {
    const CompareReport report = example();
    check_golden("compare/report.txt", compare_text(report));
    check_golden("compare/report.md", compare_markdown(report));
    check_golden("compare/report.xml", compare_junit(report, false));
    check_golden("compare/report.json", json_text(rounded(to_json(report))));
}

TEST_CASE("the JSON is what its schema says, also with nothing known and nothing compared") {
    SchemaCheck schema("configs/schema");
    CompareReport bare = with({Verdict::inconclusive});
    bare.comparisons[0].judgement.delta = std::nan("");
    for (const CompareReport& report : {example(), bare, CompareReport{}})
        CHECK(schema.faults(to_json(report), "compare.schema.json").empty());
    Json wrong = to_json(example());
    wrong["verdicts"][0]["verdict"] = "FINE";
    CHECK_FALSE(schema.faults(wrong, "compare.schema.json").empty());
}

TEST_CASE("nothing is printed as nan or inf, and the XML is well formed") {
    CompareReport bare = with({Verdict::inconclusive, Verdict::invalid, Verdict::unchanged});
    for (const CompareReport& report : {example(), bare, CompareReport{}}) {
        for (const bool strict : {false, true}) CHECK(xml_fault(compare_junit(report, strict)).empty());
        for (const std::string& text :
             {compare_text(report), compare_markdown(report), compare_junit(report, true)}) {
            CHECK(text.find("nan") == std::string::npos);
            CHECK(text.find("inf ") == std::string::npos);
        }
    }
}

TEST_CASE("numbers that programs print have no unit, neither as text nor as JSON") {
    CompareReport report = example();
    report.comparisons = {report.comparisons.back()};
    Comparison& c = report.comparisons.front();
    c.printed = true;
    c.base_seconds = 12345678.0;
    c.candidate_seconds = 0.25;
    CHECK_THAT(compare_text(report), Contains(", 1.235e+07\n") && Contains(", 0.25\n"));
    CHECK_THAT(compare_markdown(report), Contains("| 1.235e+07 |") && Contains("| 0.25 |"));
    const Json json = to_json(report);
    CHECK(json["verdicts"][0]["base"]["seconds"].is_null());
    CHECK(json["verdicts"][0]["base"]["printed"] == 12345678.0);
    CHECK(SchemaCheck("configs/schema").faults(json, "compare.schema.json").empty());
}

TEST_CASE("what programs say reaches neither the terminal as an order nor the page as markup") {
    CompareReport report = example();
    Comparison& c = report.comparisons[5];
    c.kernel = "./old\x1b[31m <img src=x>";
    c.base = "./old\x07";
    c.candidate_variant = "odd\nvariant";
    c.judgement.reason = "B gave no time: it said: \x1b]0;title\x07 <script>";
    report.only_base = {KernelName{"gone\x1b[2J <b>"}};
    for (const std::string& text :
         {compare_text(report), compare_markdown(report), compare_junit(report, true)}) {
        CHECK(text.find_first_of("\x1b\x07") == std::string::npos);
        CHECK(text.find("odd\n") == std::string::npos);
    }
    const std::string page = compare_markdown(report);
    for (const char* markup : {"<img", "<script", "<b>", "<odd"})
        CHECK(page.find(markup) == std::string::npos);
    CHECK_THAT(page, Contains("&lt;script>"));
}

TEST_CASE("kernels of one title are told apart in every text, and by the title alone in JSON") {
    CompareReport report = with({Verdict::unchanged, Verdict::unchanged, Verdict::unchanged});
    for (Comparison& c : report.comparisons) c.kernel = "spmv poisson";
    report.comparisons[1].setting = ", cold caches";
    report.comparisons[2].setting = " on OpenCL";
    report.only_base = {{"gone", ", cold caches"}};
    report.only_candidate = {{"fresh", " on OpenCL"}};
    for (const std::string& text :
         {compare_text(report), compare_markdown(report), compare_junit(report, false)})
        CHECK_THAT(text, Contains("spmv poisson, cold caches") && Contains("spmv poisson on OpenCL") &&
                             Contains("BASE, not compared: gone, cold caches.") &&
                             Contains("NEW, not compared: fresh on OpenCL."));
    CHECK_THAT(compare_markdown(report), Contains("| spmv poisson, cold caches |"));
    const Json json = to_json(report);
    for (const Json& verdict : json["verdicts"]) CHECK(verdict["kernel"] == "spmv poisson");
    CHECK(json["only_in_base"] == Json{"gone"});
    CHECK(json["only_in_new"] == Json{"fresh"});
}

TEST_CASE("what is not decided has its interval and a next step") {
    CompareReport report;
    report.comparisons.push_back(kernel("the same file", 0.9, 20, {}));
    Judgement& j = report.comparisons.front().judgement;
    j.verdict = Verdict::inconclusive;
    j.reason = "A differed from itself by 4.2 %, beyond the threshold of 3.0 %";
    const std::string interval = "So far its time changed by " + ratio_change_text(j);
    for (const std::string& text : {compare_text(report), compare_markdown(report)})
        CHECK_THAT(text, Contains(interval) && Contains("Compare again while the machine is quieter"));
    // Not twice, and not of what Ctrl-C cut short for the machine's sake.
    j.reason = "stopped after 16 rounds: its time changed by " + ratio_change_text(j);
    j.stopped = true;
    CHECK_THAT(compare_text(report), !Contains("So far") && !Contains("quieter") &&
                                         Contains("Compare again, and let it go on until it is decided."));
    j.verdict = Verdict::unchanged;
    CHECK_THAT(compare_text(report), !Contains("Compare again"));
    // Nothing is known of two rounds but that they are too few.
    report.comparisons.front().judgement = judge(steady(2, 1.0), 0.03);
    CHECK_THAT(compare_text(report), !Contains("So far") && Contains("Compare again"));
}

TEST_CASE("rounds that were taken again are counted beside those that were judged") {
    Comparison c = kernel("a", 1.0, 10, {});
    c.dropped = 1;
    CHECK_THAT(
        method_sentence(c),
        Contains("10 rounds, ") && Contains("; 1 more round, not counted, was disturbed and taken again."));
    c.dropped = 10;
    CHECK_THAT(method_sentence(c),
               Contains("; 10 more rounds, not counted, were disturbed and taken again."));
}

TEST_CASE("JUnit counts are those of its cases") {
    const std::string plain = compare_junit(example(), false);
    CHECK(plain.find("tests=\"7\" failures=\"1\" errors=\"1\" skipped=\"1\"") != std::string::npos);
    const std::string strict = compare_junit(example(), true);
    CHECK(strict.find("tests=\"7\" failures=\"2\" errors=\"1\" skipped=\"0\"") != std::string::npos);
    CHECK(strict.find("<skipped") == std::string::npos);
}

TEST_CASE("exit status: 1 for REGRESSED before 3 for INVALID; INCONCLUSIVE only when strict") {
    CHECK(exit_status(with({}), false) == 0);
    CHECK(exit_status(with({Verdict::unchanged, Verdict::improved}), true) == 0);
    CHECK(exit_status(with({Verdict::inconclusive}), false) == 0);
    CHECK(exit_status(with({Verdict::inconclusive}), true) == 3);
    CHECK(exit_status(with({Verdict::invalid, Verdict::unchanged}), false) == 3);
    CHECK(exit_status(with({Verdict::invalid, Verdict::regressed}), false) == 1);
    CHECK(exit_status(with({Verdict::regressed, Verdict::inconclusive}), true) == 1);
}

TEST_CASE("what Ctrl-C cut short is marked, and what it left nothing of is a skipped case by its name") {
    CompareReport report = with({Verdict::unchanged, Verdict::inconclusive});
    report.comparisons[1].judgement.stopped = true;
    report.left = {{"spmv <poisson>", ", cold caches"}, {"matmul", ""}};
    const Json json = to_json(report);
    CHECK_FALSE(json["verdicts"][0].contains("stopped"));
    CHECK(json["verdicts"][1]["stopped"] == true);
    CHECK(json["not_compared"] == 2);
    CHECK(SchemaCheck("configs/schema").faults(json, "compare.schema.json").empty());
    for (const bool strict : {false, true}) {
        const std::string xml = compare_junit(report, strict);
        CHECK(xml_fault(xml).empty());
        CHECK_THAT(xml,
                   Contains(fmt::format("tests=\"4\" failures=\"{}\" errors=\"0\" skipped=\"{}\"",
                                        strict ? 1 : 0, strict ? 2 : 3)) &&
                       Contains("name=\"spmv &lt;poisson&gt;, cold caches\">\n      <skipped message=") &&
                       Contains("name=\"matmul\">\n      <skipped message="));
    }
    CHECK_THAT(compare_text(report), Contains("Not made, because it was stopped before: 2 comparisons."));
}
