// What a user can write, and what he is told when it is wrong.
#include <limits>

#include "kernels/runtime/error.h"
#include "kernels/stencil/problem.h"
#include "tests/support/catch.h"
#include "tests/unit/stencil/grids.h"

using namespace rooftune;
using namespace rooftune::stencil_test;
using Catch::Contains;

namespace {

constexpr double kMuch = 1e12;

ProblemSpec with(ProblemSpec more) {
    ProblemSpec spec{{"nx", "4"}, {"ny", "5"}, {"nz", "6"}};
    for (const auto& [key, value] : more) spec[key] = value;
    return spec;
}

}  // namespace

TEST_CASE("stencil: a spec becomes canonical, and the same problem has the same digest") {
    const auto problem = StencilProblem::load(with({}), kMuch);
    CHECK(problem->spec() == ProblemSpec{{"points", "7"},
                                         {"nx", "4"},
                                         {"ny", "5"},
                                         {"nz", "6"},
                                         {"dtype", "f64"},
                                         {"steps", "1"},
                                         {"boundary", "dirichlet"}});
    CHECK(problem->title() == "7-point 4x5x6 f64");
    CHECK(problem->flops_nominal() == 8.0 * 120.0);
    CHECK(StencilProblem::load(problem->spec(), kMuch)->digest() == problem->digest());
    const auto other = StencilProblem::load(
        with({{"points", "27"}, {"steps", "3"}, {"boundary", "periodic"}, {"dtype", "f32"}}), kMuch);
    CHECK(other->title() == "27-point 4x5x6 periodic, 3 steps f32");
    CHECK(other->flops_nominal() == 30.0 * 120.0 * 3.0);
    CHECK(other->digest() != problem->digest());
    CHECK(other->dtype() == DType::f32);
}

TEST_CASE("stencil: mistakes are named") {
    const auto refused = [](const ProblemSpec& spec, const char* words, double available = kMuch) {
        CHECK_THROWS_AS(StencilProblem::load(spec, available), InputError);
        CHECK_THROWS_WITH(StencilProblem::load(spec, available), Contains(words));
    };
    refused({{"nx", "4"}, {"ny", "5"}}, "'nz' is missing");
    refused(with({{"stepz", "2"}}), "did you mean 'steps'");
    refused(with({{"points", "9"}}), "'points' is '9'");
    // Another stencil than ours is told before the sizes that it would not have.
    refused({{"points", "5"}}, "two dimensions; grids here have three, with 7 points");
    refused({{"points", "9"}, {"nx", "64"}, {"ny", "64"}}, "two dimensions");
    refused({{"points", "8"}, {"nx", "64"}}, "'points' is '8'");
    refused({{"points", "7"}, {"nx", "64"}}, "'ny' is missing");
    refused(with({{"dtype", "f16"}}), "'dtype' is 'f16'");
    refused(with({{"boundary", "periodc"}}), "did you mean 'periodic'");
    refused(with({{"nx", ""}}), "has no value");
    for (const char* size : {"0", "-3", "4.5", "4x", "x", "+4", " 4", "1e-3", "4e", "e4"})
        refused(with({{"ny", size}}), "whole number from 1 on");
    refused(with({{"steps", "0"}}), "whole number from 1 on");
    refused(with({{"nx", "99999999999999999999"}}), "at most");
    refused(with({{"nx", "9223372036854775807"}}), "at most");
    refused(with({{"nx", "1e99"}}), "at most");
    refused(with({{"steps", "1000001"}}), "at most 1000000");
    refused(with({{"nx", "1000000000000"}, {"ny", "1000000000000"}, {"nz", "1000000000000"}}), "of memory");
    refused(with({}), "are free", 100.0);
}

TEST_CASE("stencil: the layer around a grid is what its stencil reads") {
    CHECK(halo_elements(grid_of(1, 1, 1)) == 6);
    CHECK(halo_elements(grid_of(1, 1, 1, 27)) == 26);
    CHECK(halo_elements(grid_of(2, 3, 4)) == 2 * (6 + 12 + 8));
    CHECK(halo_elements(grid_of(2, 3, 4, 27)) == 4 * 5 * 6 - 24);
    CHECK(halo_elements(grid_of(2, 3, 4, 27, 1, DType::f64, Boundary::periodic)) == 0);
}

TEST_CASE("stencil: no step enlarges anything") {
    for (const int points : {7, 27}) {
        const Coefficients c = coefficients_of(points);
        CHECK(c[0] + 6.0 * c[1] + 12.0 * c[2] + 8.0 * c[3] == 1.0);
    }
}
