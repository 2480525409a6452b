// Grids that go on by any number of steps, with coefficients of each run, whatever the variant.
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "kernels/runtime/error.h"
#include "kernels/stencil/family.h"
#include "kernels/stencil/problem.h"
#include "tests/support/catch.h"
#include "tests/unit/plans/tuned_folder.h"
#include "tests/unit/stencil/plain_grid.h"
#include "tuner/plans/rooftune.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;
using rooftune::stencil_test::PlainGrid;

namespace {

constexpr std::array<double, 4> kOfFaces{0.5, 0.25, 0.0, 0.0}, kOthers{-0.5, 0.125, 0.0, 0.0},
    kOf27{0.5, 0.25, 0.125, -0.125};

PlanOptions grid_on(int threads) {
    PlanOptions options;
    options.threads = threads;
    return options;
}

stencil::Grid grid_of_shape(const StencilShape& s) {
    stencil::Grid g;
    g.nx = s.nx;
    g.ny = s.ny;
    g.nz = s.nz;
    g.points = s.points;
    g.boundary = s.periodic ? stencil::Boundary::periodic : stencil::Boundary::dirichlet;
    return g;
}

// Points that differ: whole numbers times powers of two, so that few steps are exact in both types.
template <typename T>
int wrong_points(const StencilPlan<T>& plan, PlainGrid& plain) {
    int wrong = 0;
    const StencilShape& s = plan.shape();
    for (std::int64_t z = 0; z < s.nz; ++z) {
        for (std::int64_t y = 0; y < s.ny; ++y) {
            for (std::int64_t x = 0; x < s.nx; ++x)
                wrong += !(static_cast<double>(plan.row(y, z)[x]) == plain.at(x, y, z));
        }
    }
    return wrong;
}

template <typename T>
void check_steps_of(StencilPlan<T>& plan, const std::vector<std::int64_t>& runs) {
    const StencilShape& s = plan.shape();
    INFO(plan.choice().variant << (s.periodic ? ", periodic" : "") << ", " << s.points << " points");
    PlainGrid plain(grid_of_shape(s));
    const auto value = [](std::int64_t x, std::int64_t y, std::int64_t z) {
        return static_cast<double>((5 * x + 3 * y + 7 * z + 60) % 9 - 4);
    };
    plan.fill(value);
    const std::int64_t layer = s.periodic ? 0 : 1;
    for (std::int64_t z = -layer; z < s.nz + layer; ++z) {
        for (std::int64_t y = -layer; y < s.ny + layer; ++y) {
            for (std::int64_t x = -layer; x < s.nx + layer; ++x) plain.at(x, y, z) = value(x, y, z);
        }
    }
    bool others = false;
    for (const std::int64_t steps : runs) {
        const auto& coefficients = others && s.points == 7 ? kOthers : s.coefficients;
        if (others) {
            plan.run(steps, coefficients);
        } else {
            plan.run(steps);
        }
        for (std::int64_t i = 0; i < steps; ++i) plain.step(coefficients);
        INFO(steps << " steps");
        REQUIRE(wrong_points(plan, plain) == 0);
        // Changed at an edge, which a periodic grid has twice.
        plan.row(0, 0)[s.nx - 1] = 2;
        plain.at(s.nx - 1, 0, 0) = 2.0;
        others = !others;
    }
    // Those of one run are of that run alone.
    plan.run();
    for (std::int64_t i = 0; i < s.steps; ++i) plain.step(s.coefficients);
    CHECK(wrong_points(plan, plain) == 0);
}

}  // namespace

TEST_CASE("stencil steps: any number of them, by the default variant") {
    const PlanOptions options = grid_on(GENERATE(1, 0));
    const bool periodic = GENERATE(false, true);
    for (const std::int64_t steps : {0, 1, 4}) {
        StencilPlan<double> faces =
            stencil_plan<double>({}, {11, 6, 5, 7, steps, periodic, kOfFaces}, options);
        check_steps_of(faces, {0, 1, 3, 2, 0, 5});
        StencilPlan<double> all = stencil_plan<double>({}, {11, 6, 5, 27, steps, periodic, kOf27}, options);
        check_steps_of(all, {2, 0, 1});
    }
    StencilPlan<float> floats = stencil_plan<float>({}, {19, 3, 4, 7, 1, periodic, kOfFaces}, options);
    check_steps_of(floats, {2, 1});
    StencilPlan<double> point = stencil_plan<double>({}, {1, 1, 1, 7, 2, periodic, kOfFaces}, options);
    check_steps_of(point, {1, 0, 3});
}

TEST_CASE("stencil steps: any number of them, by tuned variants of several steps a pass") {
    const auto family = make_stencil_family();
    int deep = 0;
    for (const bool periodic : {false, true}) {
        const auto problem = family->problem({{"nx", "21"},
                                              {"ny", "10"},
                                              {"nz", "9"},
                                              {"steps", "5"},
                                              {"boundary", periodic ? "periodic" : "dirichlet"}});
        const Space space = family->space(*problem, one_thread());
        for (unsigned seed = 1; seed <= 16; ++seed) {
            const TemporaryFolder folder;
            const Variant winner = unusual_variant(*family, *problem, space, one_thread(), seed);
            write_tuned_config(folder.file("a.json"), config_of(*family, *problem, winner, space));
            StencilPlan<double> plan = stencil_plan<double>(
                load_tuned(folder.path()), {21, 10, 9, 7, 5, periodic, kOfFaces}, grid_on(1));
            CHECK(plan.choice().from == PlanChoice::From::tuned);
            const auto values = space.to_map(winner);
            const auto depth = values.find("depth");
            deep += depth != values.end() && depth->second != "1";
            check_steps_of(plan, {6, 2, 0, 1});
        }
    }
    CHECK(deep > 3);
}

TEST_CASE("stencil steps: a run of none leaves the grid as it is") {
    StencilPlan<double> plan = stencil_plan<double>({}, {3, 3, 3, 7, 0, false, kOfFaces}, grid_on(1));
    plan.fill([](std::int64_t x, std::int64_t, std::int64_t) { return static_cast<double>(x); });
    const double* const before = std::as_const(plan).row(1, 1);
    plan.run();
    plan.run(0, kOthers);
    CHECK(std::as_const(plan).row(1, 1) == before);
    CHECK(before[2] == 2.0);
    CHECK(plan.shape().steps == 0);
}

TEST_CASE("stencil steps: what is no number of steps or no coefficient is refused, and changes nothing") {
    StencilPlan<double> plan = stencil_plan<double>({}, {3, 3, 3, 7, 1, false, kOfFaces}, grid_on(1));
    plan.fill([](std::int64_t, std::int64_t, std::int64_t) { return 1.0; });
    CHECK_THROWS_WITH(plan.run(-1), Contains("-1 steps"));
    CHECK_THROWS_WITH(plan.run(1, {0.5, std::nan(""), 0.0, 0.0}), Contains("not finite"));
    CHECK_THROWS_WITH(plan.run(0, kOf27), Contains("no edge and corner"));
    CHECK(std::as_const(plan).row(1, 1)[1] == 1.0);
    CHECK_THROWS_WITH(stencil_plan<double>({}, {3, 3, 3, 7, -2}), Contains("-2 steps"));
}

TEST_CASE("stencil steps: what a plan holds, before and after it is made") {
    const PlanOptions options = grid_on(GENERATE(1, 0));
    for (const StencilShape& s : {StencilShape{8, 8, 8}, StencilShape{130, 90, 80, 27, 1, true, kOf27},
                                  StencilShape{16, 16, 16, 7, 8}}) {
        const StencilPlan<float> plan = stencil_plan<float>({}, s, options);
        CHECK(plan.memory_bytes() == stencil_memory_bytes<float>({}, s, options));
        CHECK(plan.memory_bytes() >=
              static_cast<std::size_t>(2 * (s.nx + 2) * (s.ny + 2) * (s.nz + 2)) * sizeof(float));
    }
    // More than any machine has: said all the same.
    CHECK(stencil_memory_bytes<double>({}, {100'000, 100'000, 100'000}, options) > std::size_t{8} << 50U);
    CHECK_THROWS_AS(stencil_memory_bytes<double>({}, {0, 1, 1}), InputError);
    // With coefficients that no plan is made with.
    CHECK_THROWS_AS(stencil_memory_bytes<double>({}, {4, 4, 4, 7, 1, false, kOf27}), InputError);
}
