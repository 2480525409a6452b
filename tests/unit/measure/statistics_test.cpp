#include <limits>

#include "tests/support/catch.h"
#include "tuner/measure/racing.h"
#include "tuner/measure/statistics.h"

using namespace rooftune;

namespace {

std::vector<Slot> slots(const std::vector<double>& seconds) {
    std::vector<Slot> out;
    for (const double s : seconds) out.push_back({s, 1, false});
    return out;
}

}  // namespace

TEST_CASE("a time is finite and more than zero") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    CHECK(is_time(1e-9));
    CHECK_FALSE(is_time(0.0));
    CHECK_FALSE(is_time(-1.0));
    CHECK_FALSE(is_time(infinity));
    CHECK_FALSE(is_time(std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE("median of odd, even and no values") {
    CHECK(median(std::vector<double>{3, 1, 2}) == 2.0);
    CHECK(median(std::vector<double>{4, 1, 2, 3}) == 2.5);
    CHECK(median(std::vector<double>{}) == 0.0);
    CHECK(median(std::vector<double>{7}) == 7.0);
}

TEST_CASE("ranks of the median's interval are those of the sign test's tables") {
    // Published 95 % ranks, from 1: n=6 [1,6], 8 [1,8], 9 [2,8], 12 [3,10], 20 [6,15], 40 [14,27].
    const auto check = [](int n, int low, int high) {
        const Ranks r = median_ranks(n);
        CHECK(r.low + 1 == low);
        CHECK(r.high + 1 == high);
    };
    check(1, 1, 1);
    check(6, 1, 6);
    check(8, 1, 8);
    check(9, 2, 8);
    check(12, 3, 10);
    check(20, 6, 15);
    check(40, 14, 27);
}

TEST_CASE("an outlier does not move the median, and disturbed slots are left out only while enough remain") {
    std::vector<Slot> s = slots({10, 10, 11, 10, 12, 10, 11, 11, 900});
    CHECK(interval_of(s).median == 11.0);
    s[8].disturbed = true;
    CHECK(interval_of(s).slots == 8);
    CHECK(interval_of(s).high == 12.0);
    s[0].disturbed = true;
    CHECK(interval_of(s).slots == 9);
}

TEST_CASE("ratios are taken round by round, so that drift cancels") {
    std::vector<Slot> a, b;
    for (int r = 0; r < 20; ++r) {
        const double drift = 1.0 + 0.05 * r;
        a.push_back({2.0 * drift, 1, false});
        b.push_back({1.0 * drift, 1, false});
    }
    const TimeInterval ratio = ratio_interval(a, b);
    CHECK(ratio.median == Approx(2.0));
    CHECK(ratio.low == Approx(2.0));
    CHECK(ratio.high == Approx(2.0));
}

TEST_CASE("a ratio of rounds is off the medians beside it where these give another by more than 1 %") {
    CHECK(is_off_the_medians(2.24, 1.05e-3, 440e-6));
    CHECK(is_off_the_medians(6.70, 384e-6, 53.6e-6));
    CHECK_FALSE(is_off_the_medians(2.39, 1.05e-3, 440e-6));
    for (const double none : {0.0, -1.0, std::nan("")}) {
        CHECK_FALSE(is_off_the_medians(none, 1.0, 2.0));
        CHECK_FALSE(is_off_the_medians(1.0, none, 2.0));
        CHECK_FALSE(is_off_the_medians(1.0, 2.0, none));
    }
}

TEST_CASE("a ratio that decides: undisturbed rounds first, else both the median and the fastest slots") {
    const auto all_disturbed = [](const std::vector<double>& seconds) {
        std::vector<Slot> its = slots(seconds);
        for (Slot& slot : its) slot.disturbed = true;
        return its;
    };
    CHECK(decisive_ratio(slots({2.0, 3.0, 2.2}), slots({1.0, 1.0, 1.0})) == Approx(2.2));
    // One thread that nobody disturbs against two that wait for the one whose core is taken.
    const std::vector<Slot> one = slots({0.8, 0.8, 0.8, 0.8, 0.8, 0.8});
    const std::vector<Slot> two = all_disturbed({1.0, 1.0, 1.0, 0.5, 1.0, 0.5});
    CHECK(decisive_ratio(one, two) == Approx(1.6));
    CHECK(decisive_ratio(two, one) == Approx(1.25));
    CHECK(decisive_ratio(one, all_disturbed({1.0, 1.0, 1.0, 0.5, 1.0, 1.0})) == Approx(0.8));  // a lucky one
    CHECK(decisive_ratio(one, all_disturbed({1.0, 1.0, 1.0, 1.0, 1.0, 1.0})) == Approx(0.8));
    // Three undisturbed rounds decide, of not too many.
    std::vector<Slot> some = all_disturbed(std::vector<double>(24, 1.0));
    for (std::size_t i = 0; i < 3; ++i) some[i] = Slot{0.5, 1, false};
    CHECK(decisive_ratio(slots(std::vector<double>(24, 0.8)), some) == Approx(1.6));
    some.resize(40, some.back());
    some[0] = some[1] = Slot{1.0, 1, false};
    CHECK(decisive_ratio(slots(std::vector<double>(40, 0.8)), some) == Approx(0.8));
    CHECK(decisive_ratio(slots({0.0, 2.0}), slots({1.0, 1.0})) == Approx(2.0));
    CHECK(decisive_ratio({}, {}) == 1.0);
    CHECK(decisive_ratio(slots({0.0}), slots({1.0})) == 1.0);
}

TEST_CASE("upper limit of a share") {
    CHECK(upper_limit(0, 60) == Approx(0.0487).epsilon(0.001));
    CHECK(upper_limit(0, 30) == Approx(0.0950).epsilon(0.001));
    CHECK(upper_limit(0, 30, 0.975) == Approx(0.1157).epsilon(0.001));
    CHECK(upper_limit(0, 2) == Approx(0.7764).epsilon(0.001));
    CHECK(upper_limit(0, 0) == 1.0);
    CHECK(upper_limit(1, 60) == Approx(0.0766).epsilon(0.01));  // Clopper-Pearson, one-sided
    CHECK(upper_limit(60, 60) == 1.0);
}

TEST_CASE("racing: clearly slower leaves, slightly slower stays, a disturbed slot decides nothing") {
    CHECK(raced_out(slots({1.3}), 1.0));
    CHECK_FALSE(raced_out(slots({1.2}), 1.0));
    CHECK_FALSE(raced_out(slots({1.3}), 0.0));
    std::vector<Slot> disturbed = slots({5.0});
    disturbed[0].disturbed = true;
    CHECK_FALSE(raced_out(disturbed, 1.0));
    CHECK(raced_out(slots({1.2, 1.3, 1.2}), 1.0));
    CHECK_FALSE(raced_out(slots({1.2, 1.05, 1.2}), 1.0));
    CHECK_FALSE(raced_out({}, 1.0));
}
