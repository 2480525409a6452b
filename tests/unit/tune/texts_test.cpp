// The texts that people read, compared with golden files and planted extremes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/unit/chart/fixtures.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/phrases.h"
#include "tuner/chart/roofline_plot.h"
#include "tuner/formats/setting_words.h"
#include "tuner/tune/explain_text.h"
#include "tuner/tune/headline.h"
#include "tuner/tune/short_call.h"
#include "tuner/tune/short_summary.h"
#include "tuner/tune/summary.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool shows_raw_float(const std::string& text) {
    return text.find("nan") != std::string::npos || text.find("inf") != std::string::npos;
}

/// Puts one value wherever a result holds a number.
TuneResult filled_with(double value) {
    TuneResult r = spmv_result();
    r.seconds = {value, value, value, value, 8};
    r.flops_nominal = value;
    r.fraction_of_variant_bound = r.fraction_of_problem_roof = r.fraction_of_roof_now = value;
    r.speedup_over_naive = r.speedup_over_default = value;
    r.naive_ratio = r.default_ratio = {value, value, value, value, 8};
    r.verified_error = r.prepare_seconds = r.problem_roof_seconds = r.elapsed_seconds = r.waited_seconds =
        value;
    r.bound.seconds_lower = r.bound.seconds_serial = value;
    for (TermReport& term : r.bound.terms) term.amount = term.rate = term.seconds = term.beyond = value;
    r.certificate.gap_low = r.certificate.gap_high = value;
    r.certificate.sampled = {{17, 9, 1, value}, {260, 8, 0, value}, value};
    r.certificate.gap = r.certificate.margin = r.certificate.epsilon = r.certificate.audit.upper_limit =
        value;
    return r;
}

}  // namespace

TEST_CASE("summaries and explanations as they were approved") {
    check_golden("report/summary_spmv.txt", summary_text(spmv_result()));
    check_golden("report/summary_unknown_family.txt", summary_text(unknown_family_result()));
    check_golden("report/summary_no_variant_works.txt", summary_text(failed_result()));
    check_golden("report/summary_alarm.txt", summary_text(alarmed_result()));
    check_golden("report/short_table.txt", short_table({spmv_result(), alarmed_result(), failed_result()}));
    check_golden("report/short_spmv.txt", short_summary(spmv_result()));
    check_golden("report/short_alarm.txt", short_summary(alarmed_result()));
    CHECK(short_summary(failed_result()) == summary_text(failed_result()));
    check_golden("report/explain_spmv.txt", explain_text(spmv_result()));
    check_golden("report/explain_alarm.txt", explain_text(alarmed_result()));
    check_golden("report/explain_no_variant_works.txt", explain_text(failed_result()));
    check_golden("report/several.txt", several_table({spmv_result(), alarmed_result(), failed_result()}));
    check_golden("report/several_families.txt", several_table({spmv_result(), unknown_family_result()}));
}

TEST_CASE("empty results are said to be empty") {
    CHECK(several_table({}).empty());
    const std::string text = summary_text(TuneResult{});
    CHECK_THAT(text, Contains("The space is empty"));
    CHECK_FALSE(shows_raw_float(text));
    CHECK_THAT(explain_text(TuneResult{}), Contains("no winner to explain"));
}

TEST_CASE("what grew and where the winner is on an edge is said, and nothing where there is neither") {
    TuneResult r = spmv_result();
    for (const std::string& text : {summary_text(r), explain_text(r)}) {
        CHECK_THAT(text, !Contains("grew"));
        CHECK_THAT(text, !Contains("edge"));
    }
    r.grown = {{"prefetch", "8192", "32768"}, {"streams", "4", "8"}};
    r.edges = {{"prefetch", "32768", "the family offers none beyond"}, {"depth", "16", ""}};
    for (const std::string& wrapped : {summary_text(r), explain_text(r)}) {
        std::string text = wrapped;
        std::replace(text.begin(), text.end(), '\n', ' ');
        CHECK_THAT(
            text, Contains("More was on offer in the end than at first: prefetch up to 32768 (at first 8192) "
                           "and streams up to 8 (at first 4)."));
        CHECK_THAT(text, Contains("The winner is on an edge of the space, and more was not tried: "
                                  "prefetch=32768 (the family offers none beyond) and depth=16."));
    }
    CHECK(explain_json({r})["edge"].get<std::string>().find("prefetch=32768") != std::string::npos);
    CHECK(explain_json({spmv_result()})["edge"] == "");
}

TEST_CASE("extreme figures neither crash nor print raw floats") {
    for (const double value : {0.0, 1e-12, 1e-300, 1e300, -1.0, kUnbounded, kNaN}) {
        INFO(value);
        const TuneResult r = filled_with(value);
        for (const std::string& text :
             {summary_text(r), short_summary(r), explain_text(r), several_table({r, r})}) {
            CHECK_FALSE(shows_raw_float(text));
            CHECK(text.size() < 20000);
        }
    }
}

TEST_CASE(
    "results of one problem that differ in backend or caches have titles that differ, by one definition") {
    TuneResult warm = spmv_result();
    warm.title = "the problem";
    warm.backend = "cpu";
    warm.state = "warm";
    TuneResult cold = warm, device = warm, both = warm;
    cold.state = both.state = "cold";
    device.backend = both.backend = "opencl";
    CHECK(title_of(warm) == "the problem");
    CHECK(title_of(cold) == "the problem, cold caches");
    CHECK(title_of(device) == "the problem on OpenCL");
    CHECK(title_of(both) == "the problem on OpenCL, cold caches");
    CHECK(setting_words("opencl pocl-cpu", "cold") == " on OpenCL, cold caches");
    for (const TuneResult& r : {warm, cold, device, both}) {
        CHECK(series_name(r) == title_of(r));
        // In JSON the title is the problem's, as `tune --json` has it, and the rest are keys.
        const auto document = explain_json({r});
        CHECK(document.at("title") == "the problem");
        CHECK(document.at("state") == r.state);
        CHECK(document.at("backend") == r.backend);
    }
}

TEST_CASE("the sampled limit says of whom it was drawn, how sure it is and by how many") {
    TuneResult r = spmv_result();
    SampledReport& s = r.certificate.sampled;
    s = {{23'606, 30, 0, 0.0951}, {}, 0.0951};
    s.raced_out.upper_limit = 0.0;
    CHECK_THAT(summary_parts(r).audit,
               Contains("Of the 23 606 variants that the search left unmeasured before this draw, with 95 % "
                        "confidence fewer than 9.6 % are more than 3 % faster (0 of 30 drawn)."));
    CHECK(summary_parts(r).audit.find("raced out") == std::string::npos);
    s = {{23'606, 22, 1, 0.198}, {260, 8, 0, 0.313}, 0.25};
    const std::string both = summary_parts(r).audit;
    CHECK_THAT(both,
               Contains("fewer than 20 % are more than 3 % faster (1 of 22 drawn). Of the 260 that it raced "
                        "out, with 95 % confidence fewer than 32 % are (0 of 8 measured again). Of both "
                        "together: fewer than 25 %."));
    // Drawn whole: nothing is left to confidence.
    s = {{}, {5, 5, 0, 0.0}, 0.0};
    CHECK_THAT(
        summary_parts(r).audit,
        Contains("Of the 5 variants that it raced out, none is more than 3 % faster (0 of 5 measured"));
    s = {{3, 3, 0, 0.0}, {5, 5, 1, 0.2}, 0.125};
    CHECK_THAT(summary_parts(r).audit, Contains("20 % are (1 of 5 measured again)."));
    CHECK(summary_parts(r).audit.find("together") == std::string::npos);
    // What gave no time may be anything.
    s = {{}, {5, 5, 1, 0.6, 2}, 0.6};
    CHECK_THAT(
        summary_parts(r).audit,
        Contains("at most 60 % are more than 3 % faster (1 of 5 measured again, and 2 could not be timed "
                 "and count as well)."));
    s = {{900, 22, 0, 0.13, 1}, {}, 0.13};
    CHECK_THAT(summary_parts(r).audit, Contains("(0 of 22 drawn, and 1 could not be timed and"));
    // One of them is the winner now.
    s = {{23'606, 22, 0, 0.13}, {5, 5, 1, 0.2}, 0.15};
    CHECK(summary_parts(r).audit.find("the winner before") == std::string::npos);
    s.regrets = 1;
    CHECK_THAT(summary_parts(r).audit,
               Contains("Faster means than the winner before: the best of those drawn took its place."));
    CHECK_THAT(advice(r).front(), Contains("the audit found a faster variant"));
    s = {};
    CHECK(summary_parts(r).audit.find("drawn)") == std::string::npos);
}

TEST_CASE("a speed-up from fewer than six rounds has no interval") {
    TuneResult r = spmv_result();
    CHECK_THAT(summary_text(r), Contains("1.90× [1.85, 1.94]"));
    for (const int rounds : {3, 5, 6}) {
        r.naive_ratio.slots = rounds;
        for (const std::string& text : {summary_text(r), several_table({r, r})}) {
            CHECK_THAT(text, Contains("1.90×"));
            CHECK((text.find("[1.85, 1.94]") != std::string::npos) == (rounds == 6));
            CHECK_THAT(text, Contains("[1.18, 1.23]"));  // of the default, which was in all rounds
        }
    }
}

TEST_CASE("no gain is claimed whose interval has 1 in it, and none that would be a loss") {
    TuneResult r = spmv_result();
    const auto text_with = [&](double ratio, double low, double high, int rounds = 12) {
        r.speedup_over_naive = r.speedup_over_default = ratio;
        r.naive_ratio = r.default_ratio = {ratio, low, high, low, rounds};
        return winner_sentence(r).substr(0, winner_sentence(r).find("; "));
    };
    CHECK_THAT(text_with(1.91, 1.80, 2.02),
               Contains(", 1.91× [1.80, 2.02] plain CSR (1.91× [1.80, 2.02] the default variant)"));
    CHECK_THAT(
        text_with(1.91, 0.92, 14.5),
        Contains(", not decided against plain CSR, too noisy: 1.91× [0.92, 14.5] (not decided against the "
                 "default variant, too noisy: 1.91× [0.92, 14.5])"));
    CHECK_THAT(text_with(1.01, 0.98, 1.02),
               Contains(", as fast as plain CSR within noise: 1.01× [0.98, 1.02] (as fast as"));
    CHECK_THAT(text_with(1.01, 0.96, 1.02), Contains("not decided against plain CSR"));
    // As they are written, these have 1 in them.
    CHECK_THAT(text_with(1.03, 1.003, 1.10),
               Contains("not decided against plain CSR, too noisy: 1.03× [1.00, 1.10]"));
    CHECK_THAT(text_with(1.02, 1.004, 1.026),
               Contains("as fast as plain CSR within noise: 1.02× [1.00, 1.03]"));
    CHECK_THAT(text_with(0.98, 0.94, 0.999),
               Contains("not decided against plain CSR, too noisy: 0.98× [0.94, 1.00]"));
    CHECK_THAT(text_with(1.02, 1.006, 1.03), Contains(", 1.02× [1.01, 1.03] plain CSR"));
    CHECK_THAT(
        text_with(0.90, 0.85, 0.95),
        Contains(", slower than plain CSR in these rounds: 0.90× [0.85, 0.95] (slower than the default"));
    // Three turns are too few for an interval, but their range may have 1 in it.
    CHECK_THAT(
        text_with(8.0, 7.5, 9.0, 3),
        Contains(", 8.00× plain CSR in 3 rounds, too few for an interval (8.00× the default variant in 3 "
                 "rounds, too few for an interval)"));
    CHECK_THAT(text_with(8.0, 0.5, 9.0, 3),
               Contains(", not decided against plain CSR, too few rounds: 8.00× ("));
}

TEST_CASE("a table of results marks the gains that the rounds do not decide, and no others") {
    TuneResult r = spmv_result();
    const auto table_with = [&](double ratio, double low, double high, int rounds = 12) {
        r.speedup_over_naive = r.speedup_over_default = ratio;
        r.naive_ratio = r.default_ratio = {ratio, low, high, low, rounds};
        // The short one, of a job, marks them as the other does.
        const std::string whole = several_table({r}, kWidestPage);
        CHECK((short_table({r}).find("not decided") == std::string::npos) ==
              (whole.find("not decided") == std::string::npos));
        return whole;
    };
    CHECK_THAT(table_with(1.55, 0.97, 6.39), Contains("| not decided, too noisy: 1.55× [0.97, 6.39] |"));
    CHECK_THAT(table_with(1.05, 0.97, 1.12, 3), Contains("| not decided, too few rounds: 1.05× |"));
    CHECK_THAT(table_with(1.91, 1.80, 2.02), !Contains("not decided"));
    CHECK_THAT(table_with(60.0, 59.0, 61.0, 3), !Contains("not decided") && Contains("| 60.0×, 3 rounds |"));
    CHECK_THAT(short_table({r}), Contains("60.0×, 3 rounds"));
    CHECK_THAT(table_with(1.01, 0.98, 1.02), !Contains("not decided"));
    CHECK_THAT(table_with(0.90, 0.85, 0.95), !Contains("not decided"));
    r.naive = r.fallback = r.best;
    CHECK_THAT(table_with(1.0, 1.0, 1.0, 3), !Contains("not decided"));
}

TEST_CASE("a gap in a table is told as in sentences") {
    CHECK(gap_cell({}) == "0 %");
    CHECK(gap_cell({0.112, 0.1, 0.2}) == "12 % faster");
    CHECK(gap_cell({18.08, 18.0, 18.2}) == "19.1× as fast");
    TuneResult r = spmv_result();
    r.certificate.gap = 35.57;
    CHECK_THAT(several_table({r}, kWidestPage), Contains("36.6× as fast") && !Contains("3557 %"));
}

TEST_CASE("a share above 1 is no share: what was probed meanwhile was disturbed") {
    TuneResult r = spmv_result();
    const auto text_with = [&](double share) {
        r.fraction_of_roof_now = share;
        return fractions_text(r);
    };
    CHECK_THAT(text_with(0.91), Contains("91 % of the roof as probed just now"));
    CHECK_THAT(
        text_with(2.15),
        Contains("more than the roof as probed just now, which something disturbed") && !Contains("215"));
    CHECK_THAT(several_table({r}, kWidestPage), Contains("disturbed") && !Contains("215"));
    r.certificate.margin = 0.05;
    CHECK_THAT(text_with(1.04), Contains("104 % of the roof as probed just now"));
}

TEST_CASE("the short summary has what a person needs, and says no number that the whole one does not") {
    const TuneResult r = spmv_result();
    const std::string text = short_summary(r);
    for (const char* label : {"Winner ", "Gain ", "Reached ", "Left ", "Next ", "More "})
        CHECK_THAT(text, Contains(std::string("\n") + label));
    CHECK_THAT(text, !Contains("Warning"));
    CHECK(golden_lines(text).size() <= 16);
    std::string whole = summary_text(r), word;
    std::replace(whole.begin(), whole.end(), '\n', ' ');
    std::istringstream words(text);
    while (words >> word) {
        while (!word.empty() && (word.back() == ',' || word.back() == '.' || word.back() == ';'))
            word.pop_back();
        const auto ends = [](char c) {
            return c == ' ' || c == ',' || c == '.' || c == ';' || c == ')' || c == '(';
        };
        if (word.find_first_of("0123456789") == std::string::npos) continue;
        bool found = false;
        for (std::size_t at = whole.find(word); at != std::string::npos && !found;
             at = whole.find(word, at + 1)) {
            found = (at == 0 || ends(whole[at - 1])) &&
                    (at + word.size() == whole.size() || ends(whole[at + word.size()]));
        }
        INFO(word);
        CHECK(found);
    }
    CHECK_THAT(short_summary(alarmed_result()), Contains("\nWarning "));
    TuneResult miscounted = r;
    miscounted.certificate.measured += 1;
    CHECK_THAT(short_summary(miscounted), Contains("do not add up"));
}

TEST_CASE("the whole summary begins with the lines of the short one") {
    for (const TuneResult& r : {spmv_result(), alarmed_result()}) {
        const std::string brief = short_summary(r);
        const std::string lines = brief.substr(0, brief.find("\nConfig "));
        CHECK_THAT(lines, Contains("\nWinner ") && Contains("\nLeft ") && Contains("\nNext "));
        CHECK(summary_text(r).starts_with(lines + "\n\n"));
    }
}

TEST_CASE("what comes of earlier runs is said, and what became of the certificate before") {
    TuneResult r = spmv_result();
    CHECK_THAT(short_summary(r), !Contains("Resumed") && !Contains("Instead") && !Contains("Kept"));
    r.resumed = 1;
    r.config_before = {"replaced", 0.05};
    CHECK_THAT(
        short_summary(r),
        Contains("\nResumed  1 variant came from earlier runs\n") &&
            Contains("\nInstead  of the tuned config before, with a proven limit of 5.0 % faster; this one"));
    r.config_before = {"kept", kUnbounded};
    CHECK_THAT(short_summary(r),
               Contains("\nKept     the tuned config before, with no proven limit; this run,"));
    // What is not known elsewhere in the summary is none here, either.
    r.config_before = {"kept", 0.05, kUnbounded};
    CHECK_THAT(short_summary(r),
               Contains("\nKept     the tuned config before, with no proven limit; this run,"));
    r.certificate.gap_high = kUnbounded;
    CHECK_THAT(short_summary(r), Contains("this run, with no"));
    r.certificate.unmeasured += 1;  // the counts no longer add up
    CHECK_THAT(short_summary(r),
               Contains("\nKept     the tuned config before: this run did not replace it\n"));
    CHECK(limit_words({0.0, 0.0, 0.0}) == "nothing left that could be faster");
    CHECK(limit_words({1.5, 1.5, 1.5}) == "a proven limit of 2.50× as fast");
}

TEST_CASE("the short table has the gap that the sentence leads with, and fits the page") {
    TuneResult r = spmv_result();
    CHECK_THAT(short_table({r}), Contains("12 %"));
    r.certificate.gap = 4.12;
    CHECK_THAT(short_table({r}), Contains("5.12×"));
    r.certificate.replacement = {.gap = 0.3, .gap_low = 0.3, .gap_high = 0.3, .timed = 12, .meanwhile = true};
    CHECK_THAT(gap_sentence(r.certificate), Contains("more than 30 % faster (all 12"));
    CHECK_THAT(short_table({r}), Contains("30 %") && !Contains("5.12×"));
    r.certificate.replacement.beaten = 1;
    r.certificate.replacement.meanwhile = false;
    CHECK_THAT(gap_sentence(r.certificate), !Contains("30 %"));
    CHECK_THAT(short_table({r}), Contains("5.12×"));
    CHECK(short_table({}).empty());
    CHECK(short_table({r, failed_result()}).starts_with("| problem"));
}

TEST_CASE("of a kernel whose threads no parameter sets it is said on how many it runs") {
    TuneResult r = spmv_result();
    CHECK_THAT(summary_parts(r).context, Contains("2 threads at most"));
    r.needs.threads = 1;
    r.best.erase("threads");
    CHECK_THAT(summary_parts(r).context,
               Contains("1 thread, which no parameter changes") && !Contains("at most"));
}

TEST_CASE("counts that do not add up void the certificate") {
    TuneResult r = spmv_result();
    CHECK(summary_text(r).find("do not add up") == std::string::npos);
    r.certificate.measured += 1;
    CHECK_THAT(summary_text(r), Contains("do not add up"));
}

TEST_CASE("a winner that is the naive or the default variant is not compared with itself") {
    TuneResult r = spmv_result();
    r.best = r.naive;
    CHECK_THAT(winner_sentence(r), Contains("Gflop/s; gain: none, since the winner is plain CSR itself"));
    CHECK(gains_text(r) ==
          "none, since the winner is plain CSR itself: of 379 others measured none is known to be faster");
    // Nothing was compared with it, or what was has said otherwise since.
    r.certificate.audit.regrets = 1;
    CHECK(gains_text(r) == "none, since the winner is plain CSR itself");
    r.certificate.audit.regrets = 0;
    r.certificate.measured = 1;
    r.certificate.raced_out = 0;
    r.certificate.unmeasured = 5;
    CHECK_THAT(gains_text(r),
               Contains("none yet: of ") && Contains(" only one was measured, plain CSR itself"));
    r.certificate.unmeasured = r.certificate.set_aside = 0;
    CHECK(gains_text(r) == "none, since the winner is plain CSR itself");
    r.certificate.raced_out = 1;
    CHECK_THAT(gains_text(r), Contains("of 1 other measured none is known to be faster"));
    r.certificate.space = 1;
    CHECK(gains_text(r) == "none, since the winner is the only variant");
    r = spmv_result();
    r.best = r.fallback;
    CHECK(gains_text(r) ==
          "1.90× [1.85, 1.94] plain CSR; none over the default variant, which is the winner");
    r.speedup_over_naive = 0.0;
    CHECK(gains_text(r) == "none over the default variant, which is the winner");
}

TEST_CASE("variants are named by a phrase of their family or by their parameters") {
    CHECK(variant_phrase("spmv", {{"format", "csr"}, {"threads", "1"}}) == "CSR on 1 thread");
    CHECK(variant_phrase("spmv", {{"format", "bcsr"}, {"block", "3x3"}, {"index", "32"}, {"threads", "2"}}) ==
          "BCSR 3×3 with 32-bit indices on 2 threads");
    CHECK(variant_phrase("spmv", {{"layout", "x"}}) == "layout=x");
    CHECK(variant_phrase("lbm", {{"b", "2"}, {"a", "1"}}) == "a=1,b=2");
    CHECK(variant_phrase("spmv", {}) == "no variant");
    CHECK(variant_phrase("lbm", {{"a", "\x1b[2Jx"}}) == "a=' [2Jx'");
    // One word, that a shell hands on as it is.
    CHECK(variant_assignment({{"flags", "-O3 -march=native"}, {"unroll", "2"}}) ==
          "flags='-O3 -march=native',unroll=2");
    CHECK(variant_assignment({{"name", "it's \"x\""}}) == R"(name='it'\''s "x"')");
    CHECK(naive_phrase("spmv") == "plain CSR");
    CHECK(naive_phrase("lbm") == "the naive variant");
    CHECK(naive_phrase("external") == "the first variant");
    CHECK(naive_phrase("matmul") == "the triple loop");
    CHECK(naive_phrase("matmul", "opencl") == "one work item an element");
    CHECK(term_phrase("no_such_term") == "no_such_term");
    CHECK(term_unit("no_such_term").empty());
}

TEST_CASE("no line of a summary's sentences is wider than a terminal") {
    for (const TuneResult& r : {spmv_result(), alarmed_result(), failed_result()}) {
        const std::string text = summary_text(r);
        for (const std::string& line : golden_lines(text)) {
            if (line.starts_with("|") || line.find('/') != std::string::npos) continue;
            CHECK(display_width(line) <= 88);
        }
    }
}
