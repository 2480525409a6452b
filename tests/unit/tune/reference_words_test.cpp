// The winner beside what it is compared with: one time of each, and no two that read alike without a word.
#include "tuner/tune/reference_words.h"

#include "tests/support/catch.h"
#include "tests/unit/chart/fixtures.h"
#include "tuner/base/si.h"
#include "tuner/chart/roofline_plot.h"
#include "tuner/tune/durations.h"
#include "tuner/tune/headline.h"
#include "tuner/tune/summary.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;
using Catch::StartsWith;

TEST_CASE("a reference that reads like another tells in what it differs", "[reference_words]") {
    TuneResult r = spmv_result();
    CHECK(winner_words(r) == "winner");
    CHECK_THAT(default_words(r), !Contains("unlike"));
    // A phrase of this family does not name every parameter.
    r.fallback = r.best;
    r.fallback["prefetch"] = "64";
    r.best["prefetch"] = "0";
    CHECK_THAT(default_words(r), Contains(" (unlike the winner: prefetch 64, not 0)"));
    r.naive = r.fallback;
    r.naive["unroll"] = "4";
    CHECK_THAT(naive_words(r), Contains("(unlike the winner: prefetch 64, not 0; unroll 4)") &&
                                   Contains("(unlike the default: unroll 4)"));
    r.naive = r.fallback;
    CHECK(naive_words(r) == "naive: the same variant as the default");
}

TEST_CASE("a default that is slower than the naive variant is remarked where rounds prove it",
          "[reference_words]") {
    TuneResult r = spmv_result();
    CHECK(slow_default_sentence(r).empty());
    r.naive_ratio = {.median = 3.20, .low = 3.15, .high = 3.25, .slots = 24};
    r.default_ratio = {.median = 3.46, .low = 3.40, .high = 3.50, .slots = 24};
    CHECK_THAT(slow_default_sentence(r), Contains("The default variant is slower than plain CSR here"));
    CHECK_THAT(summary_parts(r).winner, Contains("The default variant is slower than plain CSR here"));
    r.default_ratio.low = 3.2;  // the two may be equally fast
    CHECK(slow_default_sentence(r).empty());
    r.default_ratio.low = 3.40;
    r.naive_ratio.slots = 3;  // too few for an interval
    CHECK(slow_default_sentence(r).empty());
    r.best = r.naive;
    CHECK_FALSE(slow_default_sentence(r).empty());
    r.fallback = r.naive;
    CHECK(slow_default_sentence(r).empty());
}

TEST_CASE("references that are one variant are said to be", "[reference_words]") {
    TuneResult r = spmv_result();
    r.best = r.naive;
    CHECK(winner_words(r) == "winner: the same variant as the naive one");
    r.fallback = r.best;
    CHECK(winner_words(r) == "winner: the same variant as the naive one and the default");
    CHECK_THAT(
        gains_text(r),
        Contains("which is the default variant, too: of 379 others measured none is known to be faster"));
    r = spmv_result();
    r.fallback = r.naive;
    r.default_ratio = r.naive_ratio;
    r.speedup_over_default = r.speedup_over_naive;
    CHECK_THAT(gains_text(r), Contains("plain CSR (the default variant, too)"));
    CHECK(summary_parts(r).references.rows()[2][0].text == "naive: the same variant as the default");
}

TEST_CASE("the summary's table and the plot have a reference's own time and the ratio of the rounds",
          "[reference_words]") {
    TuneResult r = spmv_result();
    r.naive_seconds = {.median = 2.55e-3, .low = 2.5e-3, .high = 2.6e-3, .min = 2.5e-3, .slots = 24};
    for (PlotPoint& p : r.points) {
        if (p.kind == "naive") p.flops_per_second = r.flops_nominal / r.naive_seconds.median;
    }
    const std::string text = summary_text(r);
    CHECK_THAT(text, Contains("2.55 ms [2.50, 2.60]") && Contains("1.90× [1.85, 1.94]"));
    CHECK_THAT(text, !Contains(format_seconds(r.speedup_over_naive * r.seconds.median)));
    const RooflinePlot plot = roofline_plot({r});
    REQUIRE_FALSE(plot.arrows.empty());
    CHECK(plot.arrows.front().ratio() == 1.90);
    CHECK(plot.arrows.front().to.rate / plot.arrows.front().from.rate < 1.85);
    // Of three turns the median alone.
    r.naive_seconds.slots = 3;
    CHECK_THAT(summary_text(r), Contains("2.55 ms") && !Contains("2.55 ms ["));
}

TEST_CASE("a tune's time is told in the same parts everywhere", "[durations]") {
    TuneResult r = spmv_result();
    r.elapsed_seconds = 58.0;
    r.setup_seconds = 3.0;
    r.waited_seconds = 0.4;
    REQUIRE(durations_of(r).size() == 2);
    CHECK(durations_of(r)[0].words.empty());
    CHECK(durations_of(r)[1].words == "before it to load and probe");
    CHECK_THAT(summary_parts(r).context, Contains("58 s · 3 s before it to load and probe"));
    // What took longer than was asked for says so.
    r.budget_seconds = 60.0;
    CHECK_THAT(summary_parts(r).context, Contains("58 s · 3 s") && !Contains("budget"));
    r.budget_seconds = 30.0;
    CHECK_THAT(summary_parts(r).context, Contains("58 s (the budget was 30 s) · 3 s"));
    r.finals_seconds = 33.4;
    CHECK_THAT(summary_parts(r).context, Contains("58 s (the budget was 30 s, and finals took 33 s) · 3 s"));
    r.budget_seconds = 0.0;
    r.waited_seconds = 7.0;
    CHECK_THAT(summary_parts(r).context, Contains("· 7 s more waiting for others that measured"));
    CHECK(durations_of(TuneResult{}).empty());
}

TEST_CASE("a kernel of one's own has one reference, the first variant", "[reference_words]") {
    TuneResult r = spmv_result();
    r.family = "external";
    r.naive = r.fallback;
    CHECK_THAT(gains_text(r), StartsWith("1.90× [1.85, 1.94] the first variant"));
    CHECK_THAT(gains_text(r), !Contains("default"));
    CHECK_THAT(default_words(r), StartsWith("first variant: "));
    std::string rows = summary_parts(r).references.to_text();
    CHECK_THAT(rows, Contains("first variant: ") && !Contains("naive") && !Contains("default"));
    r.best = r.naive;
    CHECK(winner_words(r) == "winner: the first variant itself");
    CHECK_THAT(gains_text(r), Contains("the winner is the first variant itself") && !Contains("default"));
    rows = summary_parts(r).references.to_text();
    CHECK_THAT(rows, Contains("winner: the first variant itself") && !Contains("naive"));
}
