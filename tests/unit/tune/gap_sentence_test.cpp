// What is said of variants that were not measured: no more than is proven, and no limit without an end.
#include "tuner/tune/gap_sentence.h"

#include <limits>

#include "tests/support/catch.h"

using namespace rooftune;
using Catch::Contains;

TEST_CASE("the gap sentence says what the certificate proves and no more") {
    CertificateReport c;
    CHECK(gap_sentence(c) == "Nothing is left that could be faster.");
    c.space = c.measured = 4;  // nothing was excluded: all that is known is that all were tried
    CHECK(gap_sentence(c) == "Nothing is left: every variant was measured.");
    c.failed = 1;
    CHECK(gap_sentence(c) == "Nothing is left: every variant was measured or failed.");
    c = {};
    c.gap = std::numeric_limits<double>::infinity();
    c.raced_out = 1;
    CHECK(gap_sentence(c) == "No ceiling bounds what was raced out: it could be faster by any factor.");
    c.unmeasured = 2;
    CHECK(gap_sentence(c) ==
          "No ceiling bounds what is left unmeasured or was raced out: it could be faster by any factor.");
    c = {};
    c.raced_out = 3;
    CHECK(gap_sentence(c) == "Nothing that was raced out can be faster.");
    c.gap = 0.121;
    CHECK(gap_sentence(c) == "Nothing that was raced out can be more than 13 % faster.");
    c.unmeasured = 5;
    CHECK(gap_sentence(c) == "Nothing left unmeasured or raced out can be more than 13 % faster.");
    c.raced_out = 0;
    c.gap = 0.0;
    CHECK(gap_sentence(c) == "Nothing left unmeasured can be faster.");
    c.gap = 0.121;  // a limit is never rounded down
    CHECK(gap_sentence(c) == "Nothing left unmeasured can be more than 13 % faster.");
    c.gap = 0.12;
    CHECK(gap_sentence(c) == "Nothing left unmeasured can be more than 12 % faster.");
    c.gap = 1.5;
    CHECK(gap_sentence(c) == "Nothing left unmeasured can be more than 2.50× as fast.");
    c.gap = std::numeric_limits<double>::infinity();
    CHECK_THAT(gap_sentence(c), Contains("by any factor"));
    c.gap = std::numeric_limits<double>::quiet_NaN();
    CHECK_THAT(gap_sentence(c), Contains("by any factor"));
}

TEST_CASE("the gap sentence leads with what the machine gave meanwhile, where that says more") {
    CertificateReport c;
    c.unmeasured = 5;
    c.gap = 1.5;
    c.replacement = {.gap = 0.2, .timed = 7, .beaten = 0, .largest = 0.9, .meanwhile = true};
    CHECK(
        gap_sentence(c) ==
        "At the rates that this machine held meanwhile, nothing left unmeasured can be more than 20 % faster "
        "(all 7 timed kept to that); proven for its best minutes and any cache: 2.50× as fast.");
    // Some were faster than those rates: the gap has it in it, and the sentence says so.
    c.replacement.beaten = 2;
    c.replacement.largest = 1.056;
    CHECK_THAT(
        gap_sentence(c),
        Contains("(2 of 7 timed were faster than those rates allow, by up to 5.6 %: the limit allows for as "
                 "much; tune again on a quieter machine for a closer one)"));
    c.replacement.gap = 0.0;
    CHECK_THAT(gap_sentence(c), Contains("nothing left unmeasured can be faster (2 of"));
    // Where all were, the rates are those of other minutes, and only the proof is told.
    c.replacement.beaten = 7;
    CHECK(gap_sentence(c) == "Nothing left unmeasured can be more than 2.50× as fast.");
    // So it is where the winner's times leave what they say open.
    c.replacement = {.gap = 0.2, .timed = 7, .beaten = 0, .largest = 0.9, .meanwhile = true};
    c.replacement.gap_low = 0.1;
    c.replacement.gap_high = 900.0;
    CHECK(gap_sentence(c) == "Nothing left unmeasured can be more than 2.50× as fast.");
    // Or the proof, which is then told as not known.
    c.replacement = {.gap = 0.2, .timed = 7, .beaten = 0, .largest = 0.9, .meanwhile = true};
    c.gap_low = 1.2;
    c.gap_high = 2860.0;
    CHECK_THAT(gap_sentence(c),
               Contains("more than 20 % faster") && Contains("any cache: not known, the times"));
    c.gap_low = c.gap_high = 0.0;
    c.replacement = {.gap = 0.0, .timed = 7, .beaten = 2, .largest = 1.056, .meanwhile = true};
    // Rates of a machine file are nobody's minutes; where they were beaten, only the proof is told.
    c.replacement.meanwhile = false;
    CHECK(gap_sentence(c) == "Nothing left unmeasured can be more than 2.50× as fast.");
    c.replacement = {.gap = 0.2, .timed = 1, .beaten = 0, .largest = 0.9, .meanwhile = false};
    CHECK(
        gap_sentence(c) ==
        "As caches here replace data, nothing left unmeasured can be more than 20 % faster (the one variant "
        "timed kept to that); proven for any cache: 2.50× as fast.");
    // No more than the proof, or held against nothing.
    c.replacement.gap = 1.49;
    CHECK(gap_sentence(c) == "Nothing left unmeasured can be more than 2.50× as fast.");
    c.replacement = {.gap = 0.2, .timed = 0, .beaten = 0, .largest = 0.0, .meanwhile = true};
    CHECK(gap_sentence(c) == "Nothing left unmeasured can be more than 2.50× as fast.");
}

TEST_CASE("the gap sentence has the interval beside the gap where it is wide") {
    CertificateReport c;
    c.unmeasured = 5;
    c.gap = 0.12;
    c.gap_low = 0.115;
    c.gap_high = 0.134;  // within two points
    CHECK(gap_sentence(c) == "Nothing left unmeasured can be more than 12 % faster.");
    c.gap_high = 0.151;
    CHECK(gap_sentence(c) == "Nothing left unmeasured can be more than 12 % [12 %, 16 %] faster.");
    c.gap_low = 0.053;
    c.gap_high = 2860.1;  // times that something disturbed throughout
    CHECK(gap_sentence(c) ==
          "Not known, the winner's times are too noisy: by their median nothing left unmeasured can be more "
          "than "
          "12 % faster, by the lower end of their interval no more than 5.3 %.");
    c.gap_high = 0.151;
    c.gap = c.gap_low = 0.0;
    CHECK(gap_sentence(c) == "Nothing left unmeasured can be more than 0 % [0 %, 16 %] faster.");
    c.gap = 1.5;
    c.gap_low = 1.31;
    c.gap_high = 1.72;
    CHECK(gap_sentence(c) == "Nothing left unmeasured can be more than 2.50× [2.31×, 2.72×] as fast.");
    c.replacement = {.gap = 0.2,
                     .gap_low = 0.16,
                     .gap_high = 0.25,
                     .timed = 7,
                     .beaten = 0,
                     .largest = 0.9,
                     .meanwhile = true};
    CHECK_THAT(gap_sentence(c), Contains("more than 20 % [16 %, 25 %] faster (all 7 timed"));
    CHECK_THAT(gap_sentence(c), Contains("any cache: 2.50× [2.31×, 2.72×] as fast."));
}

TEST_CASE("a gap in a table is marked where its sentence says that it is not known") {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    const Gap open{0.12, 0.053, 2860.1};
    CHECK(gap_cell(open) == "not known, too noisy");
    CHECK(gap_share(open) == "not known, too noisy");
    CHECK(gap_cell({0.12, 0.1, kInfinite}) == "not known, too noisy");
    CHECK(gap_cell({kInfinite, kInfinite, kInfinite}) == "no limit known");
    CHECK(gap_share({kInfinite, kInfinite, kInfinite}) == "no limit known");
    CHECK(gap_share({0.112, 0.1, 0.2}) == "12 %");
    CHECK(gap_share({1.5, 1.4, 1.6}) == "2.50×");
    CertificateReport c;
    c.unmeasured = 5;
    c.gap = 0.12;
    c.gap_high = kInfinite;
    CHECK_THAT(gap_sentence(c), Contains("Not known, the winner's times are too noisy"));
}

TEST_CASE("the gap that a person can use is the one that the sentence leads with") {
    CertificateReport c;
    c.gap = c.gap_low = c.gap_high = 1.5;
    c.replacement = {.gap = 0.2, .gap_low = 0.1, .gap_high = 0.3, .timed = 7, .meanwhile = true};
    CHECK(usable_gap(c).high == 0.3);
    CHECK(proven_gap(c).high == 1.5);
    c.replacement.gap_high = 900.0;
    CHECK(usable_gap(c).value == 1.5);
    CHECK(gap_values(usable_gap(c)) ==
          std::map<std::string, double>{{"gap", 1.5}, {"gap_low", 1.5}, {"gap_high", 1.5}});
}
