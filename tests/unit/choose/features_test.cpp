#include "tuner/choose/features.h"

#include <cmath>
#include <numeric>
#include <random>

#include "kernels/registry.h"
#include "tests/support/catch.h"

using namespace rooftune;

TEST_CASE("scales: the spread over the problems, never below 1") {
    const std::vector<FeatureVector> problems{{0.0, 5.0, 1.0}, {8.0, 5.0, 1.5}};
    CHECK(scales_of(problems) == std::vector<double>{4.0, 1.0, 1.0});
    CHECK(scales_of({}).empty());
    CHECK(scales_of(std::vector<FeatureVector>{{3.0}}) == std::vector<double>{1.0});
}

TEST_CASE("distance is Euclidean in scaled differences") {
    const std::vector<double> scales{1.0, 2.0};
    CHECK(feature_distance(FeatureVector{0.0, 0.0}, FeatureVector{3.0, 8.0}, scales) == Approx(5.0));
    CHECK(feature_distance(FeatureVector{1.0, 2.0}, FeatureVector{1.0, 2.0}, scales) == 0.0);
}

TEST_CASE("order: from the middle, and each is as near to one before it as to any that is not") {
    const std::vector<FeatureVector> line{{0.0}, {10.0}, {4.0}, {5.0}, {6.0}};
    CHECK(tuning_order(line, std::vector<double>{1.0}) == std::vector<std::size_t>{3, 2, 4, 0, 1});
    CHECK(tuning_order({}, {}).empty());

    std::mt19937_64 random(7);
    std::vector<FeatureVector> cloud;
    for (int i = 0; i < 40; ++i)
        cloud.push_back({static_cast<double>(random() % 100), static_cast<double>(random() % 100)});
    const std::vector<double> scales = scales_of(cloud);
    const std::vector<std::size_t> order = tuning_order(cloud, scales);
    std::vector<std::size_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::size_t> all(cloud.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    CHECK(sorted == all);
    // No problem that waits is nearer to those done than the one that was taken.
    const auto to_done = [&](std::size_t problem, std::size_t done) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < done; ++i)
            least = std::min(least, feature_distance(cloud[problem], cloud[order[i]], scales));
        return least;
    };
    for (std::size_t done = 1; done < order.size(); ++done) {
        for (std::size_t later = done + 1; later < order.size(); ++later)
            CHECK(to_done(order[done], done) <= to_done(order[later], done));
    }
}

TEST_CASE("nearest: by distance, then by place") {
    const std::vector<FeatureVector> problems{{1.0}, {9.0}, {3.0}, {2.0}};
    const std::vector<double> scales{1.0};
    const std::vector<std::size_t> all{0, 1, 2, 3};
    CHECK(nearest_of(FeatureVector{2.0}, all, problems, scales, 3) == std::vector<std::size_t>{3, 0, 2});
    CHECK(nearest_of(FeatureVector{2.0}, std::vector<std::size_t>{1}, problems, scales, 3) ==
          std::vector<std::size_t>{1});
    CHECK(nearest_of(FeatureVector{2.0}, {}, problems, scales, 3).empty());
}

TEST_CASE("every family's features: finite, and the same names for each of its problems") {
    const Registry registry = built_in_families();
    for (const auto& family : registry.families()) {
        std::vector<std::string> names;
        for (const ProblemSpec& spec : family->examples()) {
            std::vector<std::string> these;
            for (const auto& [name, value] : family->problem(spec)->features()) {
                INFO(family->name() << " " << name);
                CHECK(std::isfinite(value));
                these.push_back(name);
            }
            CHECK_FALSE(these.empty());
            if (names.empty()) names = these;
            CHECK(these == names);
        }
    }
}

TEST_CASE("features tell like from unlike") {
    const Registry registry = built_in_families();
    const auto features = [&](const char* family, const ProblemSpec& spec) {
        FeatureVector values;
        for (const auto& [name, value] : registry.find(family)->problem(spec)->features())
            values.push_back(value);
        return values;
    };
    const auto away = [](const FeatureVector& a, const FeatureVector& b) {
        return feature_distance(a, b, std::vector<double>(a.size(), 1.0));
    };
    const auto square = features("matmul", {{"m", "100"}, {"n", "100"}, {"k", "100"}});
    CHECK(away(square, features("matmul", {{"m", "110"}, {"n", "95"}, {"k", "100"}})) < 0.5);
    CHECK(away(square, features("matmul", {{"m", "1000"}, {"n", "10"}, {"k", "100"}})) > 3.0);
    CHECK(away(square, features("matmul", {{"m", "100"}, {"n", "100"}, {"k", "100"}, {"transb", "yes"}})) ==
          2.0);
    const auto cube = features("stencil", {{"nx", "32"}, {"ny", "32"}, {"nz", "32"}});
    CHECK(away(cube, features("stencil", {{"nx", "64"}, {"ny", "32"}, {"nz", "32"}})) == Approx(1.0));
    CHECK(away(cube, features("stencil", {{"nx", "32"}, {"ny", "32"}, {"nz", "32"}, {"points", "27"}})) ==
          2.0);
    // Blocks of three: as many rows and entries, but side by side.
    const auto grid = features("spmv", {{"gen", "poisson7"}, {"nx", "9"}});
    CHECK(away(grid, features("spmv", {{"gen", "poisson7"}, {"nx", "10"}})) < 1.0);
    CHECK(away(grid, features("spmv", {{"gen", "elasticity3"}, {"nx", "6"}})) > 2.0);
    CHECK(away(grid, features("spmv", {{"gen", "rmat"}, {"scale", "10"}})) > 2.0);
}
