// The interval of a median by order statistics, its looks, and what is done about rounds that hang together.
#include "tuner/measure/order_interval.h"

#include <cmath>
#include <numeric>
#include <vector>
#include "tests/support/catch.h"

using namespace rooftune::track;

namespace {

std::vector<double> counting(int n) {
    std::vector<double> values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), 1.0);
    return values;
}

// 1 … n in an order whose neighbours do not correlate: odd ones up, even ones down.
std::vector<double> shuffled(int n) {
    std::vector<double> values;
    for (int i = 0; i < n; ++i) values.push_back(1.0 + (i * 7) % n);
    return values;
}

}  // namespace

TEST_CASE("the looks err as often as the plan says") {
    CHECK(miscoverage(kLooks[0]) == Approx(2.0 / 1024.0));
    CHECK(miscoverage(kLooks[0]) == Approx(0.00195).margin(5e-6));
    CHECK(miscoverage(kLooks[1]) == Approx(0.00258).margin(5e-6));
    CHECK(miscoverage(kLooks[2]) == Approx(0.00222).margin(5e-6));
    double sum = 0.0;
    for (const Look& look : kLooks) sum += miscoverage(look);
    CHECK(sum == Approx(0.0068).margin(5e-5));
    CHECK(is_look(10));
    CHECK(is_look(20));
    CHECK(is_look(40));
    CHECK_FALSE(is_look(11));
    CHECK_FALSE(is_look(0));
}

TEST_CASE("each look takes its own order statistics") {
    for (const auto& [rounds, low, high] : {std::tuple{10, 1.0, 10.0}, {20, 4.0, 17.0}, {40, 11.0, 30.0}}) {
        const Look look = rounds == 10 ? kLooks[0] : rounds == 20 ? kLooks[1] : kLooks[2];
        const Estimate e = interval_at(look, counting(rounds));
        CHECK(e.low == low);
        CHECK(e.high == high);
        CHECK(e.median == 0.5 * (rounds + 1));
    }
}

TEST_CASE("between looks the last one counts, before the first there is none") {
    CHECK_FALSE(estimate({}));
    CHECK_FALSE(estimate(shuffled(9)));
    const std::vector<double> values = shuffled(40);
    REQUIRE(estimate(std::span(values).first(39)));
    CHECK(estimate(std::span(values).first(39))->rounds == 20);
    CHECK(estimate(values)->rounds == 40);
    CHECK_FALSE(estimate(values)->paired);
}

TEST_CASE("neighbours' correlation of known series") {
    CHECK(lag_one({}) == 0.0);
    CHECK(lag_one(std::vector{1.0, 2.0}) == 0.0);
    CHECK(lag_one(std::vector<double>(20, 3.0)) == 0.0);
    CHECK(lag_one(std::vector<double>(10, std::log(1.2))) == 0.0);  // whose mean is off by a rounding
    std::vector<double> zigzag;
    for (int i = 0; i < 40; ++i) zigzag.push_back(i % 2);
    CHECK(lag_one(zigzag) == Approx(-39.0 / 40.0));
    CHECK(lag_one(counting(40)) > 0.9);
}

TEST_CASE("rounds that hang together are paired, in either direction, and cost a look") {
    CHECK_FALSE(estimate(counting(10)));
    const auto twenty = estimate(counting(20));
    REQUIRE(twenty);
    CHECK(twenty->paired);
    CHECK(twenty->rounds == 20);
    // Means of pairs 1.5, 3.5, … 19.5: ten replicates, so their outermost.
    CHECK(twenty->low == 1.5);
    CHECK(twenty->high == 19.5);
    // A drift that mirrored rounds see with opposite signs is gone from their means.
    std::vector<double> mirrored;
    for (int i = 0; i < 40; ++i) mirrored.push_back(i % 2 == 0 ? 0.07 : -0.05);
    const auto forty = estimate(mirrored);
    REQUIRE(forty);
    CHECK(forty->paired);
    CHECK(forty->low == Approx(0.01));
    CHECK(forty->high == Approx(0.01));
}

TEST_CASE(
    "many comparisons together err no more often than one: Bonferroni, on as many looks as are wide enough") {
    double one = 0.0;
    for (const Look& look : kLooks) one += miscoverage(look);
    CHECK(looks_for(1).size() == 3);
    CHECK(looks_for(0).size() == 3);
    for (const int comparisons : {2, 3, 15, 120, 960, 7680}) {
        INFO(comparisons);
        const std::vector<Look> looks = looks_for(comparisons);
        REQUIRE_FALSE(looks.empty());
        CHECK(looks.back().rounds == kMostRounds);
        CHECK(is_look(20, looks) == (comparisons < 1000));
        CHECK_FALSE(is_look(10, looks));
        double sum = 0.0;
        for (const Look& look : looks) {
            sum += miscoverage(look);
            // No narrower one would do.
            CHECK(2.0 * comparisons * miscoverage({look.rounds, look.rank + 1}) > one);
        }
        CHECK(comparisons * sum <= one);
    }
    CHECK(looks_for(15).back().rank < looks_for(2).back().rank);
}

TEST_CASE("an estimate by wider looks is wider, and has none where too few rounds are left") {
    const std::vector<double> values = shuffled(40);
    const std::vector<Look> looks = looks_for(15);
    REQUIRE(estimate(values, looks));
    CHECK(estimate(values, looks)->low < estimate(values)->low);
    CHECK(estimate(values, looks)->high > estimate(values)->high);
    CHECK_FALSE(estimate(std::span(values).first(10), looks));
}
