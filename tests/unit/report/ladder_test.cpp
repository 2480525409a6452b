// A ladder told, drawn, and on the page.
#include <algorithm>

#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/unit/chart/svg_check.h"
#include "tests/unit/ladder/ladder_fixtures.h"
#include "tests/unit/report/page_fixtures.h"
#include "tuner/base/si.h"
#include "tuner/ladder/ladder_svg.h"
#include "tuner/ladder/ladder_text.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

/// With a step that failed, one that the best cannot be without, and a stop by Ctrl-C.
ladder::Result troubled() {
    ladder::MeasuredRounds m = made_up_rounds(3);
    m.interrupted = true;
    m.failures[1] = "crashed: SIGILL";
    m.failures[5] = "wrong: element 7 is 3, not 4";
    for (const std::size_t v : {1, 5}) {
        for (double& seconds : m.times[v]) seconds = 0.0 / 0.0;
    }
    return made_up_ladder(m);
}

ladder::Result nothing() {
    ladder::MeasuredRounds m = made_up_rounds(1);
    for (auto& times : m.times) times = {0.0 / 0.0};
    m.interrupted = true;
    m.rounds = 0;
    return made_up_ladder(m);
}

void check_element(const std::string& svg) {
    CHECK(xml_fault(svg).empty());
    CHECK_FALSE(svg.empty());
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.find("inf\"") == std::string::npos);
}

// A made-up ladder of this result's problem, where it was tuned.
ladder::Result ladder_of(const TuneResult& result) {
    ladder::Result r = made_up_ladder();
    r.subject.family = result.family;
    r.subject.digest = result.digest;
    r.subject.backend = result.backend;
    r.subject.state = result.state;
    r.subject.machine_id = result.machine_id;
    r.subject.threads = result.threads;
    r.subject.device = result.device;
    return r;
}

page::Input ladder_input(const std::vector<ladder::Result>& ladders,
                         const std::vector<TuneResult>& results = {}) {
    page::Input input = input_of(results);
    for (const ladder::Result& r : ladders) input.ladders.push_back({r, "tuned/x.ladder.json"});
    return input;
}

}  // namespace

TEST_CASE("a ladder in words reads as it was approved") {
    check_golden("report/ladder.txt", ladder_text(made_up_ladder(), "tuned/matmul.ladder.json"));
    check_golden("report/ladder_troubled.txt", ladder_text(troubled(), "tuned/matmul.ladder.json"));
}

TEST_CASE("where the gain came from is told over all steps, and what is not decided is said not to be") {
    using Catch::Contains;
    ladder::Result r = made_up_ladder();
    const auto gains = [&](std::vector<ladder::Gain> factors) {
        std::size_t next = 0;
        for (ladder::Step& step : r.steps) {
            step.worth.reset();
            if (step.state == ladder::StepState::measured) step.gain = factors.at(next++);
        }
        std::string text;
        for (const std::string& sentence : ladder_sentences(r)) text += sentence + "\n";
        return text;
    };
    // The largest of all, though its interval holds 1.
    CHECK_THAT(gains({{3.0, 0.8, 5.0, 8}, {2.0, 1.9, 2.1, 8}, {1.2, 1.1, 1.3, 8}}),
               Contains("came from threads 3.00× (not decided) and register tile and SIMD 2.00×."));
    CHECK_THAT(
        gains({{3.0, 0.8, 5.0, 8}, {2.0, 0.9, 4.0, 8}, {1.2, 1.1, 1.3, 8}}),
        Contains("threads 3.00× (not decided), register tile and SIMD 2.00× (not decided) and unrolling "
                 "1.20×."));
    // Smaller than a step that is decided, it says nothing.
    CHECK_THAT(gains({{1.1, 0.9, 1.3, 8}, {2.0, 1.9, 2.1, 8}, {0.9, 0.8, 1.0, 8}}),
               Contains("came from register tile and SIMD 2.00×."));
    CHECK_THAT(
        gains({{1.3, 0.9, 1.6, 8}, {1.1, 0.9, 1.2, 8}, {0.9, 0.8, 1.1, 8}}),
        Contains("No step gained more than its interval: the largest, threads 1.30× [0.90, 1.60], is not "
                 "decided."));
    // What is written 1.00 is no gain to its reader, though it was 1.003.
    CHECK_THAT(gains({{1.02, 1.003, 1.03, 8}, {0.9, 0.85, 0.95, 8}, {0.8, 0.7, 0.9, 8}}),
               Contains("the largest, threads 1.02× [1.00, 1.03], is not decided."));
    // A loss is decided, and no largest gain.
    CHECK_THAT(gains({{0.9, 0.85, 0.95, 8}, {0.8, 0.6, 1.1, 8}, {0.7, 0.6, 0.8, 8}}),
               Contains("the largest, register tile and SIMD 0.80× [0.60, 1.10], is not decided."));
    CHECK_THAT(gains({{0.9, 0.85, 0.95, 8}, {0.8, 0.7, 0.9, 8}, {0.7, 0.6, 0.8, 8}}),
               Contains("Every step that was measured lost.") && !Contains("not decided"));
}

TEST_CASE("a ladder's time of the best variant is not left beside its tune's without a word") {
    using Catch::Contains;
    ladder::Result r = made_up_ladder();
    const auto told = [&] {
        std::string text;
        for (const std::string& sentence : ladder_sentences(r)) text += sentence + "\n";
        return text;
    };
    CHECK_THAT(told(), Contains(format_seconds(r.best_time().median) +
                                " here, and 9.30 ms in the finals of its tune (2026-02-28T12:00:00Z)") &&
                           Contains("other minutes of this machine"));
    r.tuned_seconds = 0.0;
    CHECK_THAT(told(), !Contains("finals of its tune"));
}

TEST_CASE("gains that the medians beside them do not give are said to be of paired rounds") {
    const char* const said = "Gains are of paired rounds, not of the medians beside them.";
    // 384 µs over 53.6 µs is 7.16, outside the interval of the rounds' ratios.
    ladder::Result r = made_up_ladder(made_up_rounds(8, 0.0));
    CHECK_THAT(ladder_text(r, "x"), !Contains(said));
    r.whole = ladder::Gain{6.70, 4.29, 7.15, 8};
    CHECK_THAT(ladder_text(r, "x"), Contains(said));
    // A step alone is enough; one in which nothing changed has no rounds.
    r = made_up_ladder(made_up_rounds(8, 0.0));
    r.steps[2].gain = ladder::Gain{4.05, 3.9, 4.1, 8};
    CHECK_THAT(ladder_text(r, "x"), Contains(said));
    r.steps[2].gain = ladder::Gain{4.03, 3.9, 4.1, 8};
    CHECK_THAT(ladder_text(r, "x"), !Contains(said));
    // Behind a step that failed a gain is over the time below it.
    CHECK_THAT(ladder_text(nothing(), ""), !Contains(said));
}

TEST_CASE("a ladder whose steps do not make the whole says so; one without flops or roof says what it has") {
    ladder::Result r = made_up_ladder();
    r.agrees = false;
    CHECK_THAT(ladder_text(r, "x"), Contains("does not agree with the") && Contains("measure again"));
    CHECK_THAT(ladder_text(made_up_ladder(), "x"), Contains("it agrees with the"));
    r.subject.flops_nominal = 0.0;
    r.roof_now_seconds = 0.0;
    const std::string text = ladder_text(r, "x");
    CHECK_THAT(text, !Contains("Attainable now") && !Contains("nan") && !Contains("inf"));
    CHECK_THAT(ladder_text(nothing(), ""),
               Contains("Ctrl-C") && Contains("Nothing is written") && !Contains("nan"));
}

TEST_CASE("a ladder drawn wide and narrow: its texts apart, on the page, off the frame") {
    for (const ladder::Result& r : {made_up_ladder(), troubled()}) {
        for (const double width : {1040.0, 640.0, 480.0, 100.0}) {
            INFO(width);
            const ChartDrawing d = draw_ladder(r, width, "x");
            check_element(d.svg);
            // Names above the bars stand within the frame, figures beside them outside of it.
            CHECK(layout_faults(d.texts, d.page, {}) == std::vector<std::string>{});
            REQUIRE(d.panels.size() == 1);
            CHECK(d.panels.front().within(d.page));
            CHECK_THAT(d.svg, Contains("register tile and SIMD") && Contains("attainable now: 33.6 Gflop/s"));
        }
    }
}

TEST_CASE("what the drawing shows of each step") {
    const std::string svg = draw_ladder(made_up_ladder(), 1040.0, "x").svg;
    CHECK_THAT(svg, Contains("nothing to change") && Contains("still worth") && Contains("at most 1."));
    CHECK(occurrences(svg, "series0 fill") == 3);    // three steps gained
    CHECK(occurrences(svg, "series1 stroke") == 0);  // none lost
    // A loss is an outline where a gain is a block: they differ without colour.
    ladder::MeasuredRounds slower = made_up_rounds();
    for (double& seconds : slower.times[3]) seconds *= 2.0;
    const std::string lost = draw_ladder(made_up_ladder(slower), 1040.0, "x").svg;
    CHECK(occurrences(lost, "series0 fill") == 2);
    CHECK(occurrences(lost, "series1 stroke") == 1);
    CHECK_THAT(draw_ladder(troubled(), 1040.0, "x").svg, Contains("no time") && Contains("SIGILL"));
}

TEST_CASE("a ladder at or above its roof, without one, of one step, or of nothing") {
    ladder::Result above = made_up_ladder();
    above.roof_now_seconds = 0.02;
    CHECK_THAT(draw_ladder(above, 1040.0, "x").svg, !Contains("at most"));
    CHECK_THAT(ladder_text(above, "x"), !Contains("is left"));
    ladder::Result roofless = made_up_ladder();
    roofless.roof_now_seconds = roofless.roof_seconds = 0.0;
    const ChartDrawing d = draw_ladder(roofless, 480.0, "x");
    check_element(d.svg);
    CHECK_THAT(d.svg, !Contains("attainable now"));
    ladder::Result one = made_up_ladder();
    one.steps.resize(1);
    one.roof_now_seconds = one.roof_seconds = 0.0;
    check_element(draw_ladder(one, 480.0, "x").svg);
    one.steps.clear();
    check_element(draw_ladder(one, 480.0, "x").svg);
    CHECK(draw_ladder(nothing(), 1040.0, "x").svg.empty());
    check_sound(ladder_svg(nothing()));
    check_sound(ladder_svg(made_up_ladder()));
}

TEST_CASE("no title becomes markup") {
    ladder::Result r = made_up_ladder();
    r.subject.title = "<script>alert(1)</script> & more";
    r.steps[0].name = "\"threads\" <b>";
    r.steps[0].why = "<i>";
    check_element(draw_ladder(r, 1040.0, "x").svg);
    const std::string html = page::html_of(page::build(ladder_input({r})));
    CHECK_THAT(html, !Contains("<script>alert") && !Contains("<b>") && !Contains("<i>"));
}

TEST_CASE("the page: a ladder stands with the result of its problem") {
    TuneResult result = spmv_result();
    ladder::Result r = ladder_of(result);
    r.steps.back().variant = result.best;
    const page::Document document = page::build(ladder_input({r}, {result}));
    REQUIRE(document.chapters.size() == 1);
    const std::string text = page::markdown_of(document);
    CHECK_THAT(text,
               Contains("### Ladder: what each optimisation gave") && !Contains("another variant than"));
    CHECK_THAT(page::html_of(document), Contains("id=\"ladder-1\"") && Contains("id=\"ladder-1-wide"));
    // The time of the tune beside which it stands, and that tune's date.
    result.seconds.median = 0.0123;
    page::Input later = ladder_input({r}, {result});
    later.files.front().created = "2026-05-01T08:00:00Z";
    const auto on_page = [&] {
        std::string told = page::markdown_of(page::build(later));
        std::replace(told.begin(), told.end(), '\n', ' ');
        return told;
    };
    CHECK_THAT(on_page(), Contains("12.3 ms in the finals of its tune (2026-05-01T08:00:00Z)") &&
                              !Contains("2026-02-28"));
    later.files.front().created.clear();
    CHECK_THAT(on_page(), Contains("12.3 ms in the finals of its tune. ") && !Contains("2026-02-28"));
    // Of two the newer one; of an earlier winner, it says so.
    ladder::Result newer = r;
    newer.created = "2027-01-01T00:00:00Z";
    newer.steps.back().variant = {{"method", "tiled"}};
    const std::string two = page::markdown_of(page::build(ladder_input({newer, r}, {result})));
    CHECK_THAT(two, Contains("2027-01-01") && Contains("another variant than"));
    CHECK_THAT(two, !Contains("2026-03-01T12:00:00Z"));
}

TEST_CASE("the page: a ladder of another machine, device or number of threads has a chapter of its own") {
    const TuneResult result = spmv_result();
    const auto chapters = [&](const ladder::Result& r) {
        return page::build(ladder_input({r}, {result})).chapters.size();
    };
    ladder::Result r = ladder_of(result);
    CHECK(chapters(r) == 1);
    r.subject.machine_id = "elsewhere";
    CHECK(chapters(r) == 2);
    r = ladder_of(result);
    r.subject.threads += 1;
    CHECK(chapters(r) == 2);
    r = ladder_of(result);
    r.subject.device = "another device";
    CHECK(chapters(r) == 2);
    // The one of here, although the other is newer.
    ladder::Result newer = ladder_of(result);
    newer.created = "2027-01-01T00:00:00Z";
    newer.subject.machine_id = "elsewhere";
    const page::Document document = page::build(ladder_input({newer, ladder_of(result)}, {result}));
    REQUIRE(document.chapters.size() == 2);
    const std::string text = page::markdown_of(document);
    CHECK(text.find("2026-03-01T12:00:00Z") < text.find("2027-01-01T00:00:00Z"));
}

TEST_CASE("the page: a ladder without its result has a chapter of its own, alone or beside others") {
    const page::Document alone = page::build(ladder_input({made_up_ladder()}));
    REQUIRE(alone.chapters.size() == 1);
    CHECK(alone.overview.empty());
    CHECK(alone.background.empty());
    check_golden("report/ladder.md", page::markdown_of(alone));
    const page::Document beside = page::build(ladder_input({made_up_ladder()}, {spmv_result()}));
    REQUIRE(beside.chapters.size() == 2);
    CHECK(beside.chapters[1].id == "result-2");
    CHECK_FALSE(beside.overview.empty());
}
