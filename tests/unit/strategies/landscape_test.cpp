// Landscapes by a list, and points near coordinates that are none.
#include <cstdlib>

#include "tests/support/catch.h"
#include "tuner/search/strategies/listed_landscape.h"
#include "tuner/search/strategies/nearest.h"

using namespace rooftune;

TEST_CASE("a landscape refuses what is no set of points inside") {
    CHECK_THROWS(ListedLandscape({2}, {}));
    CHECK_THROWS(ListedLandscape({2}, {{2}}));
    CHECK_THROWS(ListedLandscape({2}, {{-2}}));
    CHECK_THROWS(ListedLandscape({2}, {{0, 0}}));
    CHECK_THROWS(ListedLandscape({2}, {{1}, {1}}));
}

TEST_CASE("a landscape finds its points and their neighbours, in any order of the list") {
    const ListedLandscape l({3, 2}, {{2, 1}, {0, 0}, {1, 1}, {2, 0}});
    CHECK(l.size() == 4);
    CHECK(l.find({2, 0}) == std::size_t{3});
    CHECK(l.find({0, 0}) == std::size_t{1});
    CHECK_FALSE(l.find({1, 0}));
    CHECK_FALSE(l.find({1}));
    CHECK_FALSE(l.find({-1, 0}));
    CHECK(l.neighbours(1) == std::vector<std::size_t>{3});
    CHECK(l.neighbours(0) == std::vector<std::size_t>{2, 3});
}

TEST_CASE("a parameter takes those that exist because of it along; others stay") {
    // The first decides whether the second exists; the third is free of both.
    const ListedLandscape l({2, 3, 2}, {{0, -1, 0}, {0, -1, 1}, {1, 0, 0}, {1, 1, 0}, {1, 2, 0}, {1, 0, 1}});
    CHECK(l.neighbours(0) == std::vector<std::size_t>{2, 1});
    CHECK(l.neighbours(1) == std::vector<std::size_t>{5, 0});
    CHECK(l.neighbours(4) == std::vector<std::size_t>{0, 2, 3});
    // (1, 2, 1) does not exist, and (1, 0, 1) has another value of the second.
    CHECK(l.neighbours(5) == std::vector<std::size_t>{1, 2});
}

TEST_CASE("every point is drawn, about as often as the others") {
    std::vector<std::vector<int>> points;
    for (int v = 0; v < 10; ++v) points.push_back({v});
    const ListedLandscape l({10}, points);
    std::mt19937_64 random(1);
    std::vector<int> drawn(10, 0);
    for (int i = 0; i < 10'000; ++i) ++drawn[l.draw(random)];
    for (const int times : drawn) CHECK(std::abs(times - 1000) < 150);  // five standard deviations
}

TEST_CASE("the nearest point is the one with the coordinates, else where steps from another lead") {
    std::vector<std::vector<int>> points;
    for (int a = 0; a < 6; ++a) {
        for (int b = 0; b < 6; ++b) {
            if (a + b != 7) points.push_back({a, b});
        }
    }
    const ListedLandscape l({6, 6}, points);
    CHECK(l.at(nearest(l, {4, 4}, 0)) == std::vector<int>{4, 4});
    // (3, 4) does not exist; one step of one parameter away from it is as near as it gets.
    const std::vector<int> near = l.at(nearest(l, {3, 4}, 0));
    CHECK(distance(l, near, {3, 4}) == Approx(0.2));
    CHECK(distance(l, {0, -1}, {0, 2}) == 1.0);
    CHECK(distance(l, {0, -1}, {5, -1}) == 1.0);
    // Nowhere to go.
    const ListedLandscape islands({3, 3}, {{0, 0}, {2, 2}});
    CHECK(nearest(islands, {2, 1}, 0) == 0);
    CHECK(nearest(islands, {-1, 7}, 1) == 1);
}
