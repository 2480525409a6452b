// The monotone cubic beside figures of SciPy's PchipInterpolator, and the falling fit by hand.
#include "tuner/replay/monotone.h"
#include "tests/support/catch.h"

using namespace rooftune;

TEST_CASE("a monotone cubic goes through its points and does not turn between them") {
    const MonotoneCubic curve({1.0, 2.0, 4.0, 5.0, 9.0}, {10.0, 6.0, 5.0, 5.0, 1.0});
    CHECK(curve.at(1.0) == 10.0);
    CHECK(curve.at(4.0) == 5.0);
    CHECK(curve.at(9.0) == 1.0);
    CHECK(curve.at(1.5) == Approx(7.475788288288288));
    CHECK(curve.at(3.0) == Approx(5.256756756756757));
    CHECK(curve.at(4.5) == Approx(5.0));
    CHECK(curve.at(6.0) == Approx(4.7125));
    CHECK(curve.at(8.0) == Approx(2.6375));
    double before = curve.at(1.0);
    for (double x = 1.0; x <= 9.0; x += 0.01) {
        CHECK(curve.at(x) <= before + 1e-12);
        before = curve.at(x);
    }
    const MonotoneCubic line({1.0, 3.0}, {4.0, 2.0});
    CHECK(line.at(2.5) == Approx(2.5));
}

TEST_CASE("a falling fit pools what rises, is straight between blocks and level beyond them") {
    FallingFit fit;
    CHECK(fit.empty());
    fit.add(1.0, 8.0, 1.0);
    fit.add(2.0, 3.0, 1.0);
    fit.add(4.0, 10.0, 2.0);  // 5 on average: with the 3 before it 13 of 3
    fit.add(6.0, 1.0, 1.0);
    const std::vector<double> at{0.0, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0};
    const double pooled = 13.0 / 3.0;
    const std::vector<double> expected{8.0,    8.0,    (8.0 + pooled) / 2.0, pooled,
                                       pooled, pooled, (pooled + 1.0) / 2.0, 1.0};
    std::vector<double> total(at.size(), 100.0);
    fit.add_to(at, total);
    for (std::size_t i = 0; i < at.size(); ++i) CHECK(total[i] == Approx(100.0 + expected[i]));
}
