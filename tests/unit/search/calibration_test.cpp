#include "tuner/search/calibration.h"

#include <limits>
#include "tests/support/catch.h"

using namespace rooftune;

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
