// A forest on functions that are known.
#include <cmath>

#include "tests/support/catch.h"
#include "tuner/search/strategies/draws.h"
#include "tuner/search/strategies/forest.h"

using namespace rooftune;

namespace {

double truth(const std::vector<int>& point) {
    return std::abs(point[0] - 7.0) + (point[1] == 1 ? 5.0 : 0.0);
}

}  // namespace

TEST_CASE("a forest learns what matters and what does not") {
    std::mt19937_64 random(1);
    std::vector<std::vector<int>> points;
    std::vector<double> values;
    for (int i = 0; i < 300; ++i) {
        points.push_back({static_cast<int>(below(random, 16)), static_cast<int>(below(random, 2)),
                          static_cast<int>(below(random, 8))});
        values.push_back(truth(points.back()));
    }
    const Forest forest(points, values, random);
    double error = 0.0, spread = 0.0;
    for (int a = 0; a < 16; ++a) {
        for (int b = 0; b < 2; ++b) {
            const Prediction p = forest.at({a, b, 3});
            error += std::abs(p.mean - truth({a, b, 3})) / 32.0;
            spread += std::sqrt(p.variance) / 32.0;
        }
    }
    // The values spread over 0 … 14, with a mean deviation of 3.
    CHECK(error < 0.5);
    CHECK(spread < 1.5);
}

TEST_CASE("a forest knows least where it saw nothing") {
    std::mt19937_64 random(1);
    std::vector<std::vector<int>> points;
    std::vector<double> values;
    for (int a = 0; a < 40; ++a) {
        if (a > 12 && a < 28) continue;
        points.push_back({a});
        values.push_back(a <= 12 ? 1.0 : 9.0);
    }
    const Forest forest(points, values, random);
    CHECK(forest.at({3}).mean == Approx(1.0));
    CHECK(forest.at({36}).mean == Approx(9.0));
    CHECK(forest.at({20}).variance > 4.0);
    CHECK(forest.at({3}).variance < 0.1);
}

TEST_CASE("a forest of one point, of equal values, of parameters that do not exist") {
    std::mt19937_64 random(1);
    const Prediction one = Forest({{3, -1}}, {2.0}, random).at({0, 5});
    CHECK(one.mean == 2.0);
    CHECK(one.variance == 0.0);
    CHECK(Forest({{1}, {2}, {3}, {4}}, {4.0, 4.0, 4.0, 4.0}, random).at({2}).mean == 4.0);
    CHECK(Forest({{}, {}}, {1.0, 1.0}, random).at({}).mean == 1.0);
    std::vector<std::vector<int>> points;
    std::vector<double> values;
    for (int i = 0; i < 40; ++i) {
        points.push_back({i % 2, i % 2 == 0 ? -1 : i % 3});
        values.push_back(i % 2 == 0 ? 1.0 : 3.0);
    }
    const Forest forest(points, values, random);
    CHECK(forest.at({0, -1}).mean == Approx(1.0));
    CHECK(forest.at({1, 2}).mean == Approx(3.0));
}

TEST_CASE("a forest is the same for the same seed") {
    std::vector<std::vector<int>> points;
    std::vector<double> values;
    for (int i = 0; i < 50; ++i) {
        points.push_back({i % 7, i % 5});
        values.push_back(i % 7 * 1.5 + i % 5);
    }
    std::mt19937_64 a(3), b(3), c(4);
    const Forest first(points, values, a), again(points, values, b), other(points, values, c);
    CHECK(first.at({3, 2}).mean == again.at({3, 2}).mean);
    CHECK(first.at({3, 2}).variance == again.at({3, 2}).variance);
    CHECK(first.at({3, 2}).mean != other.at({3, 2}).mean);
}

TEST_CASE("expected improvement: certain, uncertain and hopeless predictions") {
    CHECK(expected_improvement({-1.0, 0.0}) == 1.0);
    CHECK(expected_improvement({1.0, 0.0}) == 0.0);
    CHECK(expected_improvement({0.0, 1.0}) == Approx(0.3989422804));  // the density at zero
    CHECK(expected_improvement({1.0, 4.0}) > expected_improvement({1.0, 1.0}));
    CHECK(expected_improvement({100.0, 1.0}) == Approx(0.0).margin(1e-12));
}
