// Several arms, and scans of parameters, as text, Markdown and JSON: golden output of planted ones.
#include "tuner/track/ranking_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/schema_check.h"
#include "tuner/base/text_width.h"
#include "tuner/formats/result_json.h"
#include "tuner/track/compare_text.h"

using namespace rooftune;
using namespace rooftune::track;
using namespace rooftune::test;
using Catch::Contains;

namespace {

Comparison arm(const std::string& letter, const std::string& command, Verdict verdict, double ratio) {
    Comparison c;
    c.kernel = "./a → " + command;
    c.base = "./a";
    c.candidate = command;
    c.arm = letter;
    c.base_seconds = 0.1;
    c.candidate_seconds = verdict == Verdict::invalid ? 0.0 : 0.1 * ratio;
    c.control = "64 MiB read by one thread";
    Judgement& j = c.judgement;
    if (verdict == Verdict::invalid) {
        j = invalid(letter + " gave no time in round 3: signal: Segmentation fault", 0.03);
        j.rounds = 2;
        return c;
    }
    j.verdict = verdict;
    j.ratio = ratio;
    j.low = 0.99 * ratio;
    j.high = 1.01 * ratio;
    j.delta = 0.03;
    j.rounds = 20;
    j.again = 0.004;
    j.control_drift = 0.011;
    j.reason = "as planted";
    return c;
}

RankedArm place(std::size_t number, double ratio, double fastest, bool separated) {
    RankedArm r;
    r.arm = number;
    r.value = 0.1 * ratio;
    r.ranked = true;
    r.separated = separated;
    if (number > 0) r.base = {ratio, 0.99 * ratio, 1.01 * ratio};
    if (ratio > fastest) r.fastest = {ratio / fastest, 0.98 * ratio / fastest, 1.02 * ratio / fastest};
    return r;
}

// Four arms, of which B is the fastest, A may be, C is not, and D fails.
CompareReport several() {
    CompareReport report;
    report.machine = "some-machine";
    report.comparisons = {arm("B", "./b <fast> | \"odd\"", Verdict::improved, 0.95),
                          arm("C", "./c", Verdict::regressed, 1.2), arm("D", "./d", Verdict::invalid, 1.0)};
    report.together = 3;
    report.pairs_together = 6;
    Ranking ranking;
    ranking.arms = {{"B", "./b <fast> | \"odd\"", Verdict::improved, place(1, 0.95, 0.95, true)},
                    {"A", "./a", {}, place(0, 1.0, 0.95, false)},
                    {"C", "./c", Verdict::regressed, place(2, 1.2, 0.95, true)},
                    {"D", "./d", Verdict::invalid, {.arm = 3}}};
    report.rankings = {ranking};
    return report;
}

CompareReport scan() {
    CompareReport report;
    report.machine = "some-machine";
    report.scanned = true;
    report.together = 2;
    for (const char* n : {"1", "2"}) {
        Comparison c = arm("", std::string("./b ") + n, Verdict::unchanged, 1.001);
        c.kernel = fmt::format("n={0}: ./a {0} → ./b {0}", n);
        c.printed = true;
        report.comparisons.push_back(c);
    }
    return report;
}

}  // namespace

TEST_CASE("several arms and a scan, as text, Markdown and JSON") {
    check_golden("compare/several.txt", compare_text(several()) + "\n----\n" + compare_text(scan()));
    check_golden("compare/several.md", compare_markdown(several()) + "\n----\n" + compare_markdown(scan()));
    check_golden("compare/several.json", json_text(to_json(several())));
    SchemaCheck schema("configs/schema");
    for (const CompareReport& report : {several(), scan()})
        CHECK(schema.faults(to_json(report), "compare.schema.json").empty());
    Json wrong = to_json(several());
    wrong["rankings"][0]["arms"][0]["separated_from_fastest"] = "maybe";
    CHECK_FALSE(schema.faults(wrong, "compare.schema.json").empty());
}

TEST_CASE("who is not separated from the fastest is said, and nothing of an order that is INVALID") {
    CompareReport report = several();
    CHECK_THAT(compare_text(report),
               Contains("Not separated from the fastest, B (*): A;") && Contains(" * |"));
    report.rankings[0].arms[1].place.separated = true;
    CHECK_THAT(compare_text(report),
               Contains("Each of the others is proven slower than the fastest, B.") && !Contains("*"));
    for (Ranking::Arm& one : report.rankings[0].arms) {
        if (one.verdict) one.verdict = Verdict::invalid;
    }
    const std::string text = compare_text(report);
    CHECK_THAT(text, Contains("INVALID, and so is this order") && !Contains("proven slower"));
    for (Ranking::Arm& one : report.rankings[0].arms) one.place = {.arm = one.place.arm};
    CHECK_THAT(compare_text(report), !Contains("this order") && !Contains("nan"));
}

TEST_CASE("the correction is told where there is one") {
    CHECK(together_sentence(CompareReport{}).empty());
    CHECK_THAT(together_sentence(several()),
               Contains("3 verdicts hold together") && Contains("0.68 %") && Contains("all 6 pairs"));
    CHECK_THAT(together_sentence(scan()), Contains("2 verdicts") && !Contains("pairs"));
}

TEST_CASE("the worst of the arms is the status") {
    CHECK(exit_status(several(), false) == 1);
    CompareReport report = several();
    report.comparisons[1].judgement.verdict = Verdict::improved;
    CHECK(exit_status(report, false) == 3);
    report.comparisons.pop_back();
    CHECK(exit_status(report, false) == 0);
}

TEST_CASE("of values of a parameter none regressed: the status is 0, and no test runner fails") {
    CompareReport report = several();
    report.comparisons.pop_back();
    report.rankings[0].arms.pop_back();
    CHECK(exit_status(report, false) == 1);
    for (Comparison& c : report.comparisons) c.swept = true;
    report.rankings[0].swept = true;
    CHECK(exit_status(report, false) == 0);
    const std::string text = compare_text(report);
    CHECK_THAT(text, Contains("./c: SLOWER") && Contains("FASTER") && Contains("1 SLOWER, 1 FASTER.") &&
                         !Contains("REGRESSED") && !Contains("IMPROVED"));
    CHECK_THAT(compare_markdown(report), Contains("SLOWER") && !Contains("REGRESSED"));
    const std::string xml = compare_junit(report, true);
    CHECK_THAT(xml, Contains("failures=\"0\"") && Contains("<system-out>SLOWER: ") && !Contains("<failure"));
    const Json json = to_json(report);
    CHECK(json["verdicts"][1]["verdict"] == "SLOWER");
    CHECK(json["rankings"][0]["arms"][2]["verdict"] == "SLOWER");
    CHECK(SchemaCheck("configs/schema").faults(json, "compare.schema.json").empty());
    // What gave no time failed all the same.
    report.comparisons[0] = arm("B", "./b", Verdict::invalid, 1.0);
    report.comparisons[0].swept = true;
    CHECK(exit_status(report, false) == 3);
}

TEST_CASE("names in a ranking are no markup and no orders, and the table fits the page") {
    CompareReport report = several();
    report.rankings[0].title = "./x \x1b[31m {n} <img>";
    CHECK(compare_text(report).find('\x1b') == std::string::npos);
    const std::string page = compare_markdown(report);
    CHECK(page.find("<img") == std::string::npos);
    CHECK(page.find("<fast") == std::string::npos);
    report.rankings[0].arms[0].from = std::string(300, 'x');
    std::istringstream lines(ranking_text(report, report.rankings[0], 100));
    for (std::string line; std::getline(lines, line);) CHECK(display_width(line) <= 100);
}
