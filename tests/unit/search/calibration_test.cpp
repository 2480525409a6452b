#include "tuner/search/calibration.h"

#include <cmath>
#include <limits>
#include <random>

#include "tests/support/catch.h"

using namespace rooftune;

namespace {

Variant of_kind(int kind) {
    Variant v;
    v.fix(0, kind);
    return v;
}

}  // namespace

TEST_CASE("an estimate that nothing ever beat sets aside as it is") {
    CHECK(set_aside_factor(std::vector<double>(100, 1.7)) == 1.0);
    CHECK(set_aside_factor({}) == 1.0);
}

TEST_CASE("the second of a hundred decides how far the estimate is trusted") {
    std::vector<double> ratios;
    for (int i = 0; i < 100; ++i) ratios.push_back(0.5 + 0.01 * i);
    CHECK(set_aside_factor(ratios) == Approx(0.51));
    // In any order.
    std::vector<double> reversed(ratios.rbegin(), ratios.rend());
    CHECK(set_aside_factor(reversed) == Approx(0.51));
}

TEST_CASE("a handful of audits calibrates nothing, and what is no number counts as none") {
    CHECK(set_aside_factor(std::vector<double>(29, 0.5)) == 1.0);
    CHECK(set_aside_factor(std::vector<double>(30, 0.5)) == 0.5);
    std::vector<double> broken(29, 0.5);
    broken.push_back(std::numeric_limits<double>::quiet_NaN());
    broken.push_back(-1.0);
    broken.push_back(0.0);
    broken.push_back(std::numeric_limits<double>::infinity());
    CHECK(set_aside_factor(broken) == 1.0);
}

TEST_CASE("until a few were timed nothing is set aside, and then by how far their ratios spread") {
    Calibration calibration;
    for (int i = 0; i < Calibration::kFewest; ++i) {
        CHECK(calibration.factor(0) == 0.0);
        calibration.observe(of_kind(0), 2.0, 1.0);
    }
    // All alike, and twice as slow as estimated: the estimate is believed as it is, and no more.
    CHECK(calibration.factor(0) == 1.0);
    Calibration spread;
    for (const double ratio : {0.5, 0.7, 1.0, 1.4, 2.0, 1.0}) spread.observe(of_kind(0), ratio, 1.0);
    CHECK(spread.factor(0) < 0.5);
    CHECK(spread.factor(0) > 0.2);
    // What earlier audits allow is never exceeded.
    Calibration earlier(0.3);
    for (int i = 0; i < 10; ++i) earlier.observe(of_kind(0), 2.0, 1.0);
    CHECK(earlier.factor(0) == 0.3);
}

TEST_CASE("one kind's estimate that is three times too high opens that kind alone") {
    Calibration calibration;
    for (int i = 0; i < 8; ++i) {
        calibration.observe(of_kind(0), 1.0 + 0.01 * i, 1.0);
        calibration.observe(of_kind(1), 0.33 + 0.001 * i, 1.0);
    }
    CHECK(calibration.factor(0) > 0.9);
    CHECK(calibration.factor(1) < 0.33);
    CHECK(calibration.factor(1) > 0.3);
    // A kind that nobody has timed is judged by all, whose ratios are far apart.
    CHECK(calibration.factor(2) < 0.3);
    // And one surprise is enough to open a kind.
    calibration.observe(of_kind(0), 0.4, 1.0);
    CHECK(calibration.factor(0) <= 0.4);
}

TEST_CASE("what is no time calibrates nothing") {
    Calibration calibration;
    for (int i = 0; i < 20; ++i) {
        calibration.observe(of_kind(0), std::numeric_limits<double>::infinity(), 1.0);
        calibration.observe(of_kind(0), std::numeric_limits<double>::quiet_NaN(), 1.0);
        calibration.observe(of_kind(0), 1.0, 0.0);
        calibration.observe(of_kind(0), -1.0, 1.0);
    }
    CHECK(calibration.factor(0) == 0.0);
    CHECK(calibration.fit().timed == 0);
}

TEST_CASE("of ratios that are log-normal at most a share of kWrongSetAside lies below the factor") {
    std::mt19937_64 random(7);
    std::normal_distribution<double> log_ratio(0.3, 0.5);
    int below = 0, asked = 0;
    for (int run = 0; run < 4000; ++run) {
        Calibration calibration;
        const int timed = Calibration::kFewest + run % 30;
        for (int i = 0; i < timed; ++i) calibration.observe(of_kind(0), std::exp(log_ratio(random)), 1.0);
        for (int i = 0; i < 5; ++i, ++asked)
            below += std::exp(log_ratio(random)) < calibration.factor(0) ? 1 : 0;
    }
    // Five of each run share its factor: the standard error is about 0.2 %.
    CHECK(below <= (kWrongSetAside + 0.006) * asked);
    CHECK(below >= 0.3 * kWrongSetAside * asked);
}

TEST_CASE("how the estimate did is told by the median and the tenths") {
    Calibration calibration;
    for (int i = 0; i <= 10; ++i) calibration.observe(of_kind(i % 3), 1.0 + 0.1 * i, 1.0);
    const EstimateFit fit = calibration.fit();
    CHECK(fit.timed == 11);
    CHECK(fit.median == Approx(1.5));
    CHECK(fit.low == Approx(1.1));
    CHECK(fit.high == Approx(1.9));
}
