// Change points on planted series: steps, drifts, noise, and series that are too short to say anything.
#include "tuner/track/change_points.h"

#include <cmath>
#include <random>
#include "tests/support/catch.h"

using namespace rooftune::track;

namespace {

// n values of normal noise, with a step at `at` (none when at >= n).
std::vector<double> noisy(unsigned seed, std::size_t n, double size, std::size_t at, double step) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal(0.0, size);
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(normal(random) + (i >= at ? step : 0.0));
    return values;
}

}  // namespace

TEST_CASE("series too short, or without any difference, have no change") {
    for (std::size_t n = 0; n < 9; ++n) {
        INFO(n);
        CHECK(change_points(noisy(1, n, 0.001, n / 2, 10.0)).empty());
    }
    CHECK(change_points(std::vector<double>(50, 0.25)).empty());
}

TEST_CASE("from a dozen values on, a step in their middle is seen") {
    const std::vector<ChangePoint> found = change_points(noisy(2, 12, 0.001, 6, 1.0));
    REQUIRE(found.size() == 1);
    CHECK(found[0].at == 6);
    CHECK(found[0].p <= 0.01);
    CHECK(found[0].shift == Approx(1.0).margin(0.01));
}

TEST_CASE("a step is found where it is, at every place that leaves three values") {
    const std::size_t n = 40;
    for (std::size_t at = 3; at <= n - 3; ++at) {
        INFO("step at " << at);
        const std::vector<ChangePoint> found =
            change_points(noisy(static_cast<unsigned>(at), n, 0.005, at, -0.1));
        REQUIRE_FALSE(found.empty());
        bool there = false;
        for (const ChangePoint& c : found) there = there || (c.at == at && c.shift < -0.08);
        CHECK(there);
    }
}

TEST_CASE("several steps are found, up and down") {
    std::vector<double> values = noisy(5, 90, 0.01, 30, 0.2);
    for (std::size_t i = 60; i < 90; ++i) values[i] -= 0.5;
    const std::vector<ChangePoint> found = change_points(values);
    REQUIRE(found.size() == 2);
    CHECK(found[0].at == 30);
    CHECK(found[0].shift == Approx(0.2).margin(0.02));
    CHECK(found[1].at == 60);
    CHECK(found[1].shift == Approx(-0.5).margin(0.02));
}

TEST_CASE("a drift is found, as steps in its direction") {
    std::vector<double> values = noisy(6, 60, 0.005, 60, 0.0);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += 0.01 * static_cast<double>(i);
    const std::vector<ChangePoint> found = change_points(values);
    CHECK_FALSE(found.empty());
    for (const ChangePoint& c : found) CHECK(c.shift > 0.0);
}

TEST_CASE("an outlier alone is no change") {
    std::vector<double> values = noisy(7, 40, 0.01, 40, 0.0);
    values[20] += 1.0;
    CHECK(change_points(values).empty());
}

TEST_CASE("noise alone is called a change as rarely as the significance says") {
    for (const double significance : {0.01, 0.05}) {
        ChangeRules rules;
        rules.significance = significance;
        rules.permutations = 199;
        constexpr int kSeries = 600;
        int flagged = 0;
        for (unsigned seed = 0; seed < kSeries; ++seed) {
            rules.seed = seed;
            flagged += change_points(noisy(1000 + seed, 30, 0.02, 30, 0.0), rules).empty() ? 0 : 1;
        }
        INFO(flagged << " of " << kSeries << " at " << significance);
        // The share, and what is exceeded by chance once in some 30 000 trials.
        CHECK(flagged <= kSeries * significance + 4.0 * std::sqrt(kSeries * significance));
        CHECK(flagged > 0);
    }
}

TEST_CASE("the same series gives the same answer, also scaled and turned over") {
    const std::vector<double> values = noisy(8, 50, 0.02, 17, 0.05);
    const std::vector<ChangePoint> once = change_points(values), again = change_points(values);
    REQUIRE(once.size() == again.size());
    std::vector<double> scaled;
    for (const double v : values) scaled.push_back(-4.0 * v);
    const std::vector<ChangePoint> turned = change_points(scaled);
    REQUIRE(once.size() == turned.size());
    for (std::size_t i = 0; i < once.size(); ++i) {
        CHECK(once[i].at == again[i].at);
        CHECK(once[i].p == again[i].p);
        CHECK(once[i].at == turned[i].at);
        CHECK(turned[i].shift == Approx(-4.0 * once[i].shift));
    }
}

TEST_CASE("of a very long series the newest part is looked at") {
    ChangeRules rules;
    rules.permutations = 99;
    std::vector<double> values = noisy(9, kMostChangeValues + 100, 0.01, kMostChangeValues, 1.0);
    values[3] = 50.0;
    const std::vector<ChangePoint> found = change_points(values, rules);
    REQUIRE(found.size() == 1);
    CHECK(found[0].at == kMostChangeValues);
}
