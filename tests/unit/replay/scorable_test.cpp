// Which spaces have a score: planted ones on both sides of each reason.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kernels/contract/family.h"
#include "tests/support/catch.h"
#include "tests/support/example_records.h"
#include "tests/support/schema_check.h"
#include "tests/unit/chart/svg_check.h"
#include "tuner/replay/recorded_job.h"
#include "tuner/replay/replay_svg.h"
#include "tuner/replay/replay_text.h"
#include "tuner/replay/scorable.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

// Times from 1 to 1000 s in a shuffled order, good ones the rarer the higher the power; an evaluation costs a
// second.
RecordedSpace spread_out(int n, double power) {
    RecordedSpace space;
    space.name = "spread out";
    space.parameters = {{"a", {}}};
    for (int i = 0; i < n; ++i) {
        space.parameters[0].values.push_back(std::to_string(i));
        RecordedConfiguration c;
        c.values = {i};
        const double place = static_cast<double>((i * 37) % n) / static_cast<double>(n - 1);
        c.seconds = 1.0 + 999.0 * std::pow(place, 1.0 / power);
        c.cost = 1.0;
        space.configurations.push_back(c);
    }
    return space;
}

std::string reason(const RecordedSpace& space) {
    return why_no_score(space, RandomBaseline(space));
}

std::string run_result(const std::string& strategy, int space, int excluded,
                       const std::string& stopped = "exhausted") {
    return Json{{"strategy", strategy},
                {"certificate",
                 {{"space", space}, {"excluded", excluded}, {"set_aside", 0}, {"stopped_by", stopped}}}}
        .dump();
}

std::vector<Record> records_with(const std::string& role, std::size_t count) {
    return std::vector<Record>(count, record_with(Outcome::measured, eight_slots(1e-3), role));
}

}  // namespace

TEST_CASE("a space that is large enough and was drawn fairly has a score") {
    for (const double power : {1.0, 1.5, 2.0}) {
        INFO(power);
        const RecordedSpace space = spread_out(1009, power);
        CHECK(RandomBaseline(space).budget_evaluations() >= kLeastBudget);
        CHECK(reason(space) == "");
        CHECK(std::abs(score_of_random(space, RandomBaseline(space))) < kZeroWithin);
    }
}

TEST_CASE("a space in which random sampling is at the end soon has none") {
    // Where good configurations are as frequent as this, no size helps.
    const RecordedSpace frequent = spread_out(1009, 0.7);
    CHECK(RandomBaseline(frequent).budget_evaluations() < kLeastBudget);
    CHECK_THAT(reason(frequent), Contains("begins with 20 at random") && Contains("Replay a larger"));
    CHECK_THAT(reason(spread_out(13, 1.0)), Contains("evaluation"));
    int ones = 0;
    for (int n = 3; n <= 60; ++n) {
        CHECK_THAT(reason(spread_out(n, 1.0)), !Contains(" 1 evaluations"));
        ones += Contains("holds 1 evaluation,").match(reason(spread_out(n, 1.0))) ? 1 : 0;
    }
    CHECK(ones > 0);
    RecordedSpace equal = spread_out(1009, 1.0);
    for (RecordedConfiguration& c : equal.configurations) c.seconds = 2.0;
    CHECK(reason(equal) != "");
}

TEST_CASE("a budget that a few costly evaluations use up has none") {
    RecordedSpace space = spread_out(1009, 1.0);
    for (std::size_t i = 0; i < space.configurations.size(); i += 20) space.configurations[i].cost = 100.0;
    CHECK(RandomBaseline(space).evaluations(0.95) > kLeastBudget);
    CHECK_THAT(reason(space), Contains("evaluations"));
}

TEST_CASE("what a search chose has none, whatever its size, and a uniform draw has") {
    RecordedSpace space = spread_out(1009, 2.0);
    space.drawn = Drawn::searched;
    CHECK_THAT(reason(space), Contains("what a search measured") && Contains("--exhaustive") &&
                                  Contains("--no-bounds") && Contains("stands all the same"));
    space.drawn = Drawn::cut_short;
    CHECK_THAT(reason(space), Contains("cut short"));
    for (const Drawn drawn : {Drawn::unknown, Drawn::whole, Drawn::uniform}) {
        space.drawn = drawn;
        CHECK(reason(space) == "");
    }
}

TEST_CASE("a space on which random sampling does not score 0 has none") {
    // The method charges a failure less than it costs a search that has to draw again.
    RecordedSpace space = spread_out(4001, 3.0);
    for (std::size_t i = 0; i < space.configurations.size(); ++i) {
        if (i % 10 != 3) space.configurations[i].seconds.reset();
    }
    CHECK(RandomBaseline(space).budget_evaluations() >= kLeastBudget);
    CHECK(score_of_random(space, RandomBaseline(space)) < -kZeroWithin);
    CHECK_THAT(reason(space), Contains("random sampling itself scores -") && Contains("fail"));
}

TEST_CASE("how a job's variants were chosen, by its runs and the roles of its records") {
    const auto exhaustive = records_with("exhaustive", 50), searched = records_with("search", 50);
    CHECK(drawn_by(exhaustive, {}) == Drawn::whole);
    const std::string whole = run_result("exhaustive", 60, 0),
                      stopped = run_result("exhaustive", 60, 0, "interrupted");
    CHECK(drawn_by(exhaustive, {whole}) == Drawn::whole);
    CHECK(drawn_by(exhaustive, {stopped}) == Drawn::cut_short);
    CHECK(drawn_by(exhaustive, {stopped, whole}) == Drawn::whole);
    // A tune that was stopped before it measured takes nothing back, and one of a part is none of the whole.
    CHECK(drawn_by(exhaustive, {whole, run_result("bounds", 60, 0, "interrupted")}) == Drawn::whole);
    CHECK(drawn_by(exhaustive, {stopped, run_result("exhaustive", 40, 0)}) == Drawn::cut_short);
    CHECK(drawn_by(searched, {run_result("genetic", 231, 0), run_result("bounds", 40, 0)}) ==
          Drawn::searched);
    CHECK(drawn_by(exhaustive, {""}) == Drawn::cut_short);
    CHECK(drawn_by(searched, {}) == Drawn::searched);
    CHECK(drawn_by(searched, {run_result("bounds", 231, 100)}) == Drawn::searched);
    CHECK(drawn_by(searched, {run_result("genetic", 231, 0)}) == Drawn::searched);
    CHECK(drawn_by(searched, {run_result("random", 231, 0)}) == Drawn::uniform);
    // Bounds had left some out, or another run was led by something else.
    CHECK(drawn_by(searched, {run_result("random", 231, 7)}) == Drawn::searched);
    CHECK(drawn_by(searched, {run_result("bounds", 231, 0), run_result("random", 231, 0)}) ==
          Drawn::searched);
    CHECK(drawn_by(searched, {run_result("genetic", 50, 0)}) == Drawn::whole);
    CHECK(drawn_by(searched, {"{\"certificate\": {\"space\": \"many\"}}"}) == Drawn::searched);
    const ExampleRecords e = example_records();
    CHECK(recorded_job(e.job, e.records).space.drawn == Drawn::searched);
    CHECK(recorded_job(e.job, e.records).space.of_records);
}

TEST_CASE("without a score: text, JSON and drawing say why, and means are over the others") {
    RecordedSpace whole = spread_out(1009, 1.0), chosen = whole;
    chosen.drawn = Drawn::searched;
    const std::vector<const StrategyKind*> kinds{find_strategy("random"), find_strategy("local")};
    const ReplayRules rules{.runs = 3, .seed = 1, .keep_runs = true};
    const Replay scored = replay(whole, kinds, rules), none = replay(chosen, kinds, rules);
    REQUIRE(scored.no_score.empty());
    REQUIRE_FALSE(none.no_score.empty());
    CHECK(std::isnan(none.strategies[0].score));
    CHECK(none.strategies[0].curve.empty());
    CHECK(none.strategies[0].arithmetic == scored.strategies[0].score);
    CHECK(mean_scores({scored, none}).front() == scored.strategies[0].score);
    CHECK(std::isnan(mean_scores({none}).front()));

    CHECK_THAT(replay_text({none}, rules),
               Contains("No score: ") && Contains(" none |") && !Contains("nan") && !Contains("Score: 0"));
    // Of records it is said what "best" is of: a tune's winner has another time.
    CHECK_THAT(replay_text({none}, rules), !Contains("latest record of each variant"));
    Replay of_records = none;
    of_records.of_records = true;
    CHECK_THAT(replay_text({of_records}, rules), Contains("latest record of each variant"));
    chosen.of_records = true;
    CHECK(replay(chosen, kinds, rules).of_records);
    CHECK_THAT(replay_text({scored, none}, rules), Contains("Over the 1 of 2 spaces that have a score"));
    const auto fault = [](const Json& document) {
        const auto faults = SchemaCheck("configs/schema").faults(document, "replay.schema.json");
        return faults.empty() ? std::string() : faults.front();
    };
    const Json document = replay_json({none}, rules);
    CHECK(fault(document) == "");
    CHECK(document.at("no_score") == none.no_score);
    CHECK(document.at("strategies").at(0).at("score").is_null());
    CHECK(document.at("strategies").at(0).at("arithmetic").is_number());
    CHECK_FALSE(replay_json({scored}, rules).contains("no_score"));
    CHECK(fault(replay_json({scored, none}, rules)) == "");

    for (const auto& replays : {std::vector{none}, std::vector{scored, none}, std::vector{none, none}}) {
        const ChartDrawing drawing = draw_replay(replays, rules);
        check_sound(drawing.svg);
        CHECK_THAT(drawing.svg, Contains("no score</text>"));
        for (const Box& panel : drawing.panels) {
            const auto faults = layout_faults(drawing.texts, drawing.page, panel);
            CHECK((faults.empty() ? std::string() : faults.front()) == "");
        }
    }
    CHECK_THAT(replay_svg({none}, rules), Contains("what a search measured"));
}
