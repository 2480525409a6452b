// What is said of a machine, by planted comparisons.
#include "tuner/track/selftest.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/schema_check.h"
#include "tuner/formats/result_json.h"
#include "tuner/track/track_selftest_text.h"

using namespace rooftune;
using namespace rooftune::track;
using namespace rooftune::test;
using Catch::Contains;

namespace {

Known known(const char* control, Effect effect, Verdict verdict, double detectable) {
    Known k;
    k.control = control;
    k.effect = effect;
    k.judgement.verdict = verdict;
    k.judgement.delta = 0.03;
    k.judgement.detectable = detectable;
    return k;
}

void add(SelftestReport& report, Effect effect, Verdict verdict, int n, double detectable = 0.04) {
    for (int i = 0; i < n; ++i)
        report.comparisons.push_back(known(i % 2 == 0 ? "compute" : "memory", effect, verdict, detectable));
}

SelftestReport report_with(Verdict same, Verdict twice, Verdict tenth, int n = 10) {
    SelftestReport report;
    report.machine = "some-machine";
    report.delta = 0.03;
    report.asked = n / 2;
    report.seconds = 61.0;
    add(report, Effect::none, same, n);
    add(report, Effect::two_delta, twice, n);
    add(report, Effect::tenth, tenth, n);
    return report;
}

std::string all_advice(const SelftestReport& report) {
    std::string text;
    for (const std::string& sentence : advice(report)) text += sentence + " ";
    return text;
}

SelftestReport quiet() {
    return report_with(Verdict::unchanged, Verdict::regressed, Verdict::regressed);
}

}  // namespace

TEST_CASE("what is put in") {
    CHECK(injected(Effect::none, 0.03) == 0.0);
    CHECK(injected(Effect::two_delta, 0.03) == Approx(0.06));
    CHECK(injected(Effect::tenth, 0.03) == Approx(0.1));
}

TEST_CASE("a quiet machine is reliable") {
    const SelftestReport report = quiet();
    CHECK(ability(report) == Ability::reliable);
    CHECK(exit_status(report) == 0);
    const FalsePositives f = false_positives(report);
    CHECK(f.k == 0);
    CHECK(f.n == 10);
    CHECK(f.limit == Approx(0.2589).epsilon(0.001));
    CHECK(detectable(report).value() == Approx(0.04));
    CHECK_THAT(all_advice(report), Contains("detects a slow-down of 10 % reliably") && Contains("6.0 %"));
}

TEST_CASE("a machine that sees nothing, one that sees ghosts, and one that cannot be measured") {
    const SelftestReport blind =
        report_with(Verdict::inconclusive, Verdict::inconclusive, Verdict::inconclusive);
    CHECK(ability(blind) == Ability::unreliable);
    CHECK(exit_status(blind) == 1);
    CHECK_THAT(all_advice(blind), Contains("0 of 10"));

    SelftestReport ghosts = quiet();
    for (int i = 0; i < 2; ++i)
        ghosts.comparisons[static_cast<std::size_t>(i)].judgement.verdict = Verdict::improved;
    CHECK(ability(ghosts) == Ability::unreliable);
    CHECK(false_positives(ghosts).k == 2);
    CHECK(exit_status(ghosts) == 1);
    CHECK_THAT(all_advice(ghosts), Contains("too often") && Contains("second comparison"));

    const SelftestReport changing = report_with(Verdict::invalid, Verdict::invalid, Verdict::invalid);
    CHECK(ability(changing) == Ability::not_measured);
    CHECK(exit_status(changing) == 3);
    CHECK_THAT(all_advice(changing), Contains("doctor"));

    // Slow-downs that are seen prove nothing where the same could not be judged.
    const SelftestReport half = report_with(Verdict::invalid, Verdict::regressed, Verdict::regressed);
    CHECK(ability(half) == Ability::not_measured);

    SelftestReport cut;
    cut.cut_short = true;
    CHECK(ability(cut) == Ability::not_measured);
    CHECK(exit_status(cut) == 3);
    CHECK(false_positives(cut).limit == 1.0);
    CHECK_FALSE(detectable(cut));
    CHECK_THAT(all_advice(cut), Contains("Too little"));
}

TEST_CASE("nine of ten is reliable, eight is not; an INVALID is not seen") {
    SelftestReport report = quiet();
    report.comparisons.back().judgement.verdict = Verdict::invalid;
    CHECK(ability(report) == Ability::reliable);
    report.comparisons[report.comparisons.size() - 2].judgement.verdict = Verdict::inconclusive;
    CHECK(ability(report) == Ability::unreliable);
    // One ghost in ten is let pass.
    SelftestReport ghost = quiet();
    ghost.comparisons.front().judgement.verdict = Verdict::regressed;
    CHECK(ability(ghost) == Ability::reliable);
}

TEST_CASE("what is detectable holds for nine in ten; what was not judged does not count") {
    SelftestReport report;
    for (int i = 1; i <= 10; ++i)
        report.comparisons.push_back(known("compute", Effect::none, Verdict::unchanged, 0.01 * i));
    CHECK(detectable(report).value() == Approx(0.09));
    report.comparisons.push_back(known("memory", Effect::none, Verdict::invalid, kNotKnown));
    CHECK(detectable(report).value() == Approx(0.09));
    CHECK_FALSE(detectable(report, "memory"));
}

TEST_CASE("a threshold that would do is named where the noise is too large") {
    SelftestReport report = report_with(Verdict::unchanged, Verdict::inconclusive, Verdict::regressed);
    for (Known& k : report.comparisons) k.judgement.detectable = 0.083;
    CHECK_THAT(all_advice(report), Contains("--delta 0.06"));
}

TEST_CASE("the self-test as text and JSON") {
    SelftestReport report = quiet();
    report.comparisons[1].judgement.verdict = Verdict::inconclusive;
    report.comparisons[12].judgement.verdict = Verdict::invalid;
    report.comparisons[12].judgement.detectable = kNotKnown;
    SelftestReport cut = report_with(Verdict::invalid, Verdict::inconclusive, Verdict::regressed, 2);
    cut.asked = 5;
    cut.cut_short = true;
    SelftestReport empty;
    check_golden("track/selftest.txt", selftest_plan(36, 40.0, 120.0) + "\n\n" + selftest_text(report) +
                                           "\n----\n" + selftest_text(cut) + "\n----\n" +
                                           selftest_text(empty));
    check_golden("track/selftest.json", json_text(to_json(report)));
    SchemaCheck schema("configs/schema");
    for (const SelftestReport& r : {report, cut, empty})
        CHECK(schema.faults(to_json(r), "track-selftest.schema.json").empty());
    Json wrong = to_json(report);
    wrong["ability"] = "perhaps";
    CHECK_FALSE(schema.faults(wrong, "track-selftest.schema.json").empty());
}
