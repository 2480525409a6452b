// What a summary says where it must not be sure, and what it advises.
#include <algorithm>
#include <regex>
#include <string>

#include "tests/support/catch.h"
#include "tests/unit/chart/fixtures.h"
#include "tuner/tune/explain_text.h"
#include "tuner/tune/short_call.h"
#include "tuner/tune/short_summary.h"
#include "tuner/tune/summary.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

TEST_CASE("where hardly anything was tried, more of it comes first, and once") {
    TuneResult r = spmv_result();
    r.certificate.stopped_by = "budget";
    r.certificate.space = 34944;
    r.certificate.excluded = 0;
    r.certificate.set_aside = 0;
    r.certificate.measured = 2;
    r.certificate.raced_out = 1;
    r.certificate.failed = 1;
    r.certificate.failed_environment = 0;
    r.certificate.unmeasured = 34940;
    const std::vector<std::string> list = advice(r);
    CHECK_THAT(list.front(), Contains("Only 4 of 34 944 variants were tried: give it more"));
    CHECK(std::count_if(list.begin(), list.end(), [](const std::string& item) {
              return item.find("give it more") != std::string::npos;
          }) == 1);
    r.certificate.raced_out = 300;
    CHECK_THAT(advice(r).front(), !Contains("variants were tried"));
}

TEST_CASE("noise is the first advice, whatever else there is") {
    TuneResult r = spmv_result();
    r.certificate.stopped_by = "budget";
    r.certificate.space = 97162;
    r.certificate.excluded = r.certificate.set_aside = 0;
    r.certificate.measured = 5;
    r.certificate.raced_out = r.certificate.failed = r.certificate.failed_environment = 0;
    r.certificate.unmeasured = 97157;
    REQUIRE_THAT(advice(r).front(), Contains("Only 5 of 97 162 variants were tried"));
    TuneResult above = r, below = r, undecided = r;
    above.seconds = {.median = 985e-6, .low = 848e-6, .high = 1385e-6, .min = 840e-6, .slots = 12};
    CHECK_THAT(advice(above).front(), Contains("Something disturbed this machine: the winner's time is only "
                                               "known as 985 µs [848, 1385]") &&
                                          Contains("`rooftune doctor`") && !Contains("--budget"));
    CHECK_THAT(short_summary(above), Contains("Next     Something disturbed this machine"));
    below.seconds = {.median = 6.38e-3, .low = 2.09e-3, .high = 6.5e-3, .min = 2.0e-3, .slots = 12};
    CHECK_THAT(advice(below).front(), Contains("Something disturbed this machine: the winner's time"));
    // The winner's own time is known, and its gain is not.
    undecided.naive_ratio = {.median = 1.1, .low = 0.8, .high = 1.5, .slots = 12};
    undecided.speedup_over_naive = 1.1;
    REQUIRE_THAT(short_summary(undecided), Contains("not decided against plain CSR, too noisy"));
    CHECK_THAT(advice(undecided).front(), Contains("do not tell the winner from plain CSR"));
    // As fast within noise is an answer.
    undecided.naive_ratio = {.median = 1.0, .low = 0.98, .high = 1.02, .slots = 12};
    CHECK_THAT(advice(undecided).front(), Contains("variants were tried"));
}

TEST_CASE("far below its own bound the bound is the first advice, and no time closes the gap") {
    TuneResult r = spmv_result();
    r.certificate.gap = r.certificate.gap_low = r.certificate.gap_high = 29.0;
    r.fraction_of_variant_bound = 0.03;
    REQUIRE_FALSE(is_mostly_call(r));
    CHECK_THAT(advice(r).front(), Contains("the bound may be loose: `--state cold`"));
    r.state = "cold";
    CHECK_THAT(advice(r).front(), Contains("The winner reaches only 3.0 % of its own bound") &&
                                      Contains("`rooftune explain /tmp/out/spmv-ship_001_mesh.json`"));
    CHECK_THAT(advice(r)[1], Contains("To try more variants, give it more time"));
    for (const char* stop : {"budget", "patience"}) {
        r.certificate.stopped_by = stop;
        for (const std::string& item : advice(r)) CHECK_THAT(item, !Contains("close the gap"));
    }
    r.certificate.stopped_by = "budget";
    r.fraction_of_variant_bound = 0.5;
    CHECK_THAT(advice(r).front(), Contains("To close the gap, give it more time"));
}

TEST_CASE("of a repetition that may be mostly the call, what is left is said not to be known") {
    TuneResult r = spmv_result();
    r.seconds = {486e-9, 480e-9, 490e-9, 478e-9, 12};
    r.needs.threads = 2;
    r.certificate.gap = r.certificate.gap_low = r.certificate.gap_high = 81.2;
    r.certificate.unmeasured = 100;
    r.certificate.replacement = {};
    r.certificate.stopped_by = "budget";
    r.fraction_of_variant_bound = 0.2;
    REQUIRE(is_mostly_call(r));
    CHECK_THAT(left_text(r), Contains("Not known: a repetition takes 486 ns") &&
                                 Contains("joining 2 threads") && Contains("no bound covers that") &&
                                 Contains("By the bounds alone") && Contains("82.2"));
    CHECK_THAT(short_table({r}), Contains("not known") && !Contains("82"));
    for (const std::string& text : {short_summary(r), summary_text(r), explain_text(r)})
        CHECK_THAT(std::regex_replace(text, std::regex("\\s+"), " "), Contains("Not known: a repetition"));
    CHECK_THAT(advice(r).front(), Contains("more work into one call"));
    for (const std::string& item : advice(r)) CHECK_THAT(item, !Contains("more time"));

    TuneResult alone = r;
    alone.needs.threads = 1;
    CHECK_THAT(left_text(alone), Contains("calling it may be the most") && !Contains("threads"));
    TuneResult device = r;
    device.backend = "opencl";
    device.seconds.median = 9e-6;
    CHECK_THAT(left_text(device), Contains("work groups"));

    // Bounds that explain most of the time, a kernel that is long enough, and one for so many threads.
    TuneResult tight = r, longer = r, wide = r;
    tight.certificate.gap = 0.6;
    longer.seconds.median = 2.1e-6;
    wide.seconds.median = 2.1e-6;
    wide.needs.threads = 64;
    CHECK_FALSE(is_mostly_call(tight));
    CHECK_FALSE(is_mostly_call(longer));
    CHECK(is_mostly_call(wide));
    wide.seconds.median = 11e-6;
    CHECK_FALSE(is_mostly_call(wide));
    // Its own bound explains it: what is left is what nobody has measured yet.
    TuneResult unfinished = r;
    unfinished.fraction_of_variant_bound = 0.85;
    CHECK_FALSE(is_mostly_call(unfinished));
    CHECK(left_text(longer) == gap_sentence(longer.certificate));
    CHECK_THAT(short_table({longer}), Contains("82.2"));
}

TEST_CASE("who gave a number of evaluations is advised to give more of them") {
    TuneResult r = spmv_result();
    r.certificate.stopped_by = "budget";
    r.certificate.epsilon = 0.03;
    r.certificate.gap = r.certificate.gap_low = r.certificate.gap_high = 0.3;
    r.certificate.violations = 0;
    r.convergence = {{1, 2e-3, 0.0}, {50, 1e-3, 0.0}};
    const auto advised = [&](const std::string& words) {
        const std::vector<std::string> list = advice(r);
        return std::any_of(list.begin(), list.end(),
                           [&](const std::string& item) { return item.find(words) != std::string::npos; });
    };
    r.budget_seconds = 0.0;
    CHECK(advised("more evaluations: `--budget 200`"));
    CHECK_FALSE(advised("more time"));
    r.convergence.back().evaluations = 5;
    CHECK(advised("more evaluations: `--budget 100`"));
    r.budget_seconds = 60.0;
    CHECK(advised("more time: `--budget "));
    CHECK_FALSE(advised("more evaluations"));
    r.best.clear();
    r.certificate.failed = 0;
    r.budget_seconds = 0.0;
    CHECK(advised("Give it more evaluations: `--budget 100`."));
}

TEST_CASE("why variants failed is said in the five lines and in full") {
    TuneResult r = spmv_result();
    const auto plain = [](std::string text) { return std::regex_replace(text, std::regex("\\s+"), " "); };
    CHECK_THAT(summary_text(r), !Contains("Failed:"));
    r.failures = {"8 wrong, like tile=7: expected 1, found 2", "1 crashed, like tile=9: SIGSEGV"};
    CHECK_THAT(plain(short_summary(r)), Contains("Failed 8 wrong, like tile=7: expected 1, found 2"));
    CHECK_THAT(
        plain(summary_text(r)),
        Contains("Failed: 8 wrong, like tile=7: expected 1, found 2. 1 crashed, like tile=9: SIGSEGV."));
}

TEST_CASE("without bounds nothing is said to have been excluded") {
    TuneResult r = spmv_result();
    r.certificate.excluded = 5;
    const auto plain = [](std::string text) { return std::regex_replace(text, std::regex("\\s+"), " "); };
    const std::string with = plain(summary_text(r)), explained = plain(explain_text(r));
    CHECK_THAT(with, Contains("Excluded means proven no faster") && !Contains("--no-bounds"));
    CHECK_THAT(explained, Contains("; 5 excluded (") && !Contains("--no-bounds"));
    r.no_bounds = true;
    CHECK_THAT(plain(summary_text(r)), Contains("By --no-bounds nothing was left out for that"));
    CHECK_THAT(plain(explain_text(r)), Contains("; 5 would have been excluded without --no-bounds ("));
}

TEST_CASE("where the ratio of rounds is not that of the medians, it is said which one is shown") {
    TuneResult r = spmv_result();
    r.best = {{"a", "1"}};
    r.naive = r.fallback = {{"a", "2"}};
    r.speedup_over_naive = r.speedup_over_default = 1.07;
    r.seconds = {538e-6, 530e-6, 545e-6, 520e-6, 12};
    r.naive_seconds = r.default_seconds = {591e-6, 580e-6, 600e-6, 570e-6, 12};
    CHECK_THAT(summary_parts(r).winner, Contains("paired rounds, not of the medians beside them"));
    r.naive_seconds.median = r.default_seconds.median = 1.07 * 538e-6;
    CHECK_THAT(summary_parts(r).winner, !Contains("paired rounds"));
}

TEST_CASE("an audit that drew nothing at random claims nothing for the rest") {
    TuneResult r = spmv_result();
    r.certificate.audit.measured = 7;
    r.certificate.audit.regrets = 0;
    r.certificate.audit.upper_limit = 1.0;
    r.certificate.audit.excluded.drawn = r.certificate.audit.set_aside.drawn = 0;
    std::string text = summary_text(r);
    std::replace(text.begin(), text.end(), '\n', ' ');
    CHECK_THAT(text, Contains("None was drawn at random, so nothing follows for the others.") &&
                         !Contains("100 % of those"));
}

TEST_CASE("what spoke against the ceilings is said in full, and in the five lines not") {
    TuneResult r = spmv_result();
    CHECK_THAT(summary_text(r), !Contains("About the ceilings"));
    r.model_doubts = {"2 threads load less than one.", "3 ceilings were never probed undisturbed."};
    std::string text = summary_text(r);
    std::replace(text.begin(), text.end(), '\n', ' ');
    CHECK_THAT(text,
               Contains("About the ceilings: 2 threads load less than one. 3 ceilings were never probed"));
    CHECK_THAT(explain_text(r), Contains("2 threads load less than one."));
    CHECK_THAT(short_summary(r), !Contains("About the ceilings"));
}

TEST_CASE("advice follows the way the search ended") {
    TuneResult r = spmv_result();
    CHECK_THAT(advice(r).front(), Contains("--budget"));
    TuneResult disturbed = r;
    disturbed.seconds.high = 20.0 * r.seconds.median;
    CHECK_THAT(advice(disturbed).front(), Contains("`rooftune doctor`") && !Contains("--budget"));
    r.certificate.stopped_by = "patience";
    CHECK_THAT(advice(r).front(), Contains("--patience"));
    r.certificate.stopped_by = "interrupted";
    CHECK_THAT(advice(r).front(), Contains("again"));
    r.certificate.stopped_by = "epsilon";
    r.certificate.gap = 0.02;
    r.certificate.failed_environment = 0;
    CHECK_THAT(advice(r).front(), Contains("rooftune run"));
    r.certificate.violations = 1;
    CHECK_THAT(advice(r).front(), Contains("rooftune machine"));
    r.certificate.violations = 0;
    r.fraction_of_variant_bound = 0.4;
    CHECK_THAT(advice(r).front(), Contains("--state cold"));
    // A kernel that is its own reference was compared all the same, and both is said.
    TuneResult own = r;
    own.verified_by = kVerifiedByItself;
    CHECK_THAT(advice(own).front(), Contains("--state cold"));
    CHECK_THAT(short_summary(own), Contains("against the kernel itself"));
    std::string both = summary_text(own);
    std::replace(both.begin(), both.end(), '\n', ' ');
    CHECK_THAT(both,
               Contains("Verified against the kernel itself, compiled plainly, for want of a reference; "
                        "its largest error is"));
    // A program of the user's has no such state.
    TuneResult program = r;
    program.verified_by = "by the exit status alone";
    CHECK_THAT(advice(program).front(), !Contains("--state cold"));
    CHECK_THAT(short_summary(program), Contains("Verified by the exit status alone"));
    std::string whole = summary_text(program);
    std::replace(whole.begin(), whole.end(), '\n', ' ');
    CHECK_THAT(whole,
               Contains("Verified by the exit status alone.") && !Contains("of what rounding explains"));
    program.family = "external";
    program.flops_nominal = program.problem_roof_seconds = 0.0;
    CHECK_THAT(advice(program).front(), Contains("Declare its work"));
    r.state = "cold";
    CHECK_THAT(advice(r).front(), Contains("rooftune run"));
    r.certificate.violations = r.certificate.audit.regrets = 1;
    r.certificate.stopped_by = "interrupted";
    r.certificate.failed_environment = 2;
    CHECK(advice(r).size() == 3);
}
