// A variant that goes on from its own answers, as programs do: many runs are many steps.
#include "kernels/stencil/stepper.h"

#include <cmath>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "kernels/stencil/arrays.h"
#include "kernels/stencil/oracle.h"
#include "tests/support/catch.h"
#include "tests/support/descent.h"
#include "tests/unit/stencil/grids.h"
#include "tests/unit/stencil/plain_grid.h"

using namespace rooftune;
using namespace rooftune::stencil_test;

namespace {

template <typename T>
void fill_row(const Grid& g, const Layout& l, const Buffer& to, PlainGrid& from, std::int64_t y,
              std::int64_t z) {
    T* const row = reinterpret_cast<T*>(to.data() + l.at(y, z));
    for (std::int64_t x = -1; x <= g.nx; ++x) row[x] = static_cast<T>(from.at(x, y, z));
}

/// Random numbers in `now` and `plain`; in `next`, only around the grid.
template <typename T>
void fill_arrays(const Grid& g, const Layout& layout, const Buffer& now, const Buffer& next,
                 PlainGrid& plain) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
    const bool periodic = g.boundary == Boundary::periodic;
    const std::int64_t layer = periodic ? 0 : 1;
    for (std::int64_t z = -layer; z < g.nz + layer; ++z) {
        for (std::int64_t y = -layer; y < g.ny + layer; ++y) {
            for (std::int64_t x = -layer; x < g.nx + layer; ++x)
                plain.at(x, y, z) = static_cast<double>(uniform(random));
            if (periodic) {
                plain.at(-1, y, z) = plain.at(g.nx - 1, y, z);
                plain.at(g.nx, y, z) = plain.at(0, y, z);
            }
            fill_row<T>(g, layout, now, plain, y, z);
            const bool outside = y < 0 || y >= g.ny || z < 0 || z >= g.nz;
            if (outside) fill_row<T>(g, layout, next, plain, y, z);
        }
    }
}

/// The largest difference, in units of the tolerance of so many times the grid's steps.
template <typename T>
double largest_error(const Grid& g, const Layout& layout, const Buffer& now, PlainGrid& plain, double times) {
    double error = 0.0;
    for (std::int64_t z = 0; z < g.nz; ++z) {
        for (std::int64_t y = 0; y < g.ny; ++y) {
            const T* const row = reinterpret_cast<const T*>(now.data() + layout.at(y, z));
            for (std::int64_t x = 0; x < g.nx; ++x) {
                error = std::max(
                    error, error_of(static_cast<double>(row[x]), plain.at(x, y, z), times * tolerance_of(g)));
            }
        }
    }
    return error;
}

/// The largest difference after three runs.
template <typename T>
double error_after_three_runs(const Grid& g, const Choice& choice, const Target& target, Team& team) {
    const Layout layout = layout_of(g, choice.padding);
    const Coefficients c = coefficients_of(g.points);
    Stepper stepper(g, c, choice, kernels_of(g, choice, choose_isa(target.width_bits)), layout,
                    AfterLast::closed, team);
    const auto bytes = static_cast<std::size_t>(layout.bytes);
    Buffer now(bytes), next(bytes), between(bytes);
    for (const Buffer* b : {&now, &next, &between}) std::memset(b->data(), 0xFF, bytes);
    PlainGrid plain(g);
    fill_arrays<T>(g, layout, now, next, plain);
    for (int run = 0; run < 3; ++run) {
        stepper.run(now.data(), between.data(), next.data());
        std::swap(now, next);
        for (std::int64_t s = 0; s < g.steps; ++s) plain.step(c);
    }
    return largest_error<T>(g, layout, now, plain, 3.0);
}

/// The largest difference after passes of every depth that the stepper has, with coefficients that change.
template <typename T>
double error_after_passes(const Grid& g, const Choice& choice, const Target& target, Team& team) {
    const Layout layout = layout_of(g, choice.padding);
    const bool periodic = g.boundary == Boundary::periodic;
    Coefficients c = coefficients_of(g.points);
    // What the stepper is made with is not used.
    Stepper stepper(g, {}, choice, kernels_of(g, choice, choose_isa(target.width_bits)), layout,
                    periodic ? AfterLast::closed : AfterLast::left_open, team);
    const auto bytes = static_cast<std::size_t>(layout.bytes);
    Buffer now(bytes), next(bytes);
    for (const Buffer* b : {&now, &next}) std::memset(b->data(), 0xFF, bytes);
    PlainGrid plain(g);
    fill_arrays<T>(g, layout, now, next, plain);
    if (!periodic) {
        for (std::int64_t z = 0; z < g.nz; ++z) {
            for (std::int64_t y = 0; y < g.ny; ++y) fill_row<T>(g, layout, next, plain, y, z);
        }
    }
    double times = 1.0;
    for (int steps = stepper.depth(); steps >= 1; --steps) {
        stepper.advance(steps, c, now.data(), next.data());
        std::swap(now, next);
        for (int s = 0; s < steps; ++s) plain.step(c);
        times += static_cast<double>(steps);
        c[1] = -c[1];
    }
    return largest_error<T>(g, layout, now, plain, times);
}

}  // namespace

TEST_CASE("stencil: passes of any depth and with other coefficients go on from each other") {
    const Target target = target_of(usable_widths(), 2);
    Team team(two_cpus());
    std::mt19937 random(12);
    int fused = 0;
    for (const int points : {7, 27}) {
        for (const DType dtype : {DType::f64, DType::f32}) {
            for (const Boundary boundary : {Boundary::dirichlet, Boundary::periodic}) {
                const Grid g = grid_of(19, 9, 7, points, 6, dtype, boundary);
                const Space space = make_space(g, target);
                int wrong = 0;
                for (const Variant& v : test::some_variants(space, 0, 24, static_cast<unsigned>(random()))) {
                    const Choice choice = decode(space, v, g);
                    fused += choice.depth > 2;
                    const double error = dtype == DType::f64
                                             ? error_after_passes<double>(g, choice, target, team)
                                             : error_after_passes<float>(g, choice, target, team);
                    if (!(error <= 1.0) && ++wrong <= 3)
                        FAIL_CHECK(points << " points: " << error << ": " << space.to_text(v));
                }
                CHECK(wrong == 0);
            }
        }
    }
    CHECK(fused > 10);
}

TEST_CASE("stencil: the bytes of scratch planes are known before there are any") {
    const Target target = target_of(usable_widths(), 2);
    Team team(two_cpus());
    const Grid g = grid_of(40, 30, 20, 7, 6);
    const Space space = make_space(g, target);
    int with_scratch = 0;
    for (const Variant& v : test::some_variants(space, 0, 40, 13)) {
        const Choice choice = decode(space, v, g);
        const Layout layout = layout_of(g, choice.padding);
        const Stepper stepper(g, coefficients_of(7), choice,
                              kernels_of(g, choice, choose_isa(target.width_bits)), layout,
                              AfterLast::left_open, team);
        CHECK(Stepper::buffer_bytes(g, choice, layout) == stepper.buffer_bytes());
        CHECK((stepper.buffer_bytes() > 0) == (choice.depth > 1));
        with_scratch += choice.depth > 1;
    }
    CHECK(with_scratch > 5);
}

TEST_CASE("stencil: runs that go on from each other are right, whatever the passes and the boundary") {
    const Target target = target_of(usable_widths(), 2);
    Team team(two_cpus());
    std::mt19937 random(11);
    int several_passes = 0, fused = 0;
    for (const int points : {7, 27}) {
        for (const DType dtype : {DType::f64, DType::f32}) {
            for (const Boundary boundary : {Boundary::dirichlet, Boundary::periodic}) {
                for (const std::int64_t steps : {1, 2, 5}) {
                    const Grid g = grid_of(19, 9, 7, points, steps, dtype, boundary);
                    const Space space = make_space(g, target);
                    int wrong = 0;
                    for (const Variant& v :
                         test::some_variants(space, 0, 24, static_cast<unsigned>(random()))) {
                        const Choice choice = decode(space, v, g);
                        several_passes += steps > choice.depth;
                        fused += choice.depth > 1;
                        const double error = dtype == DType::f64
                                                 ? error_after_three_runs<double>(g, choice, target, team)
                                                 : error_after_three_runs<float>(g, choice, target, team);
                        if (error > 1.0 && ++wrong <= 3)
                            FAIL_CHECK(points << " points, " << steps << " steps: " << error << ": "
                                              << space.to_text(v));
                    }
                    CHECK(wrong == 0);
                }
            }
        }
    }
    CHECK(several_passes > 50);
    CHECK(fused > 50);
}
