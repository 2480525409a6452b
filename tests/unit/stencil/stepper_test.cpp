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

using namespace rooftune;
using namespace rooftune::stencil_test;

namespace {

/// The grid with its layer, x fastest; of a periodic grid the layer is the other side.
class Plain {
public:
    explicit Plain(const Grid& g)
        : g_(g), now_(static_cast<std::size_t>((g.nx + 2) * (g.ny + 2) * (g.nz + 2))) {}

    double& at(std::int64_t x, std::int64_t y, std::int64_t z) {
        return now_[static_cast<std::size_t>(((z + 1) * (g_.ny + 2) + y + 1) * (g_.nx + 2) + x + 1)];
    }
    double read(std::int64_t x, std::int64_t y, std::int64_t z) {
        if (g_.boundary == Boundary::periodic)
            return at((x + g_.nx) % g_.nx, (y + g_.ny) % g_.ny, (z + g_.nz) % g_.nz);
        return at(x, y, z);
    }

    void step(const Coefficients& c) {
        Plain next = *this;
        for (std::int64_t z = 0; z < g_.nz; ++z) {
            for (std::int64_t y = 0; y < g_.ny; ++y) {
                for (std::int64_t x = 0; x < g_.nx; ++x) next.at(x, y, z) = point(c, x, y, z);
            }
        }
        now_ = std::move(next.now_);
    }

private:
    double point(const Coefficients& c, std::int64_t x, std::int64_t y, std::int64_t z) {
        double sum = 0.0;
        for (int dz = -1; dz <= 1; ++dz) {
            for (int dy = -1; dy <= 1; ++dy) {
                for (int dx = -1; dx <= 1; ++dx) {
                    const int away = std::abs(dx) + std::abs(dy) + std::abs(dz);
                    if (g_.points == 7 && away > 1) continue;
                    sum += c[static_cast<std::size_t>(away)] * read(x + dx, y + dy, z + dz);
                }
            }
        }
        return sum;
    }

    Grid g_;
    std::vector<double> now_;
};

template <typename T>
void fill_row(const Grid& g, const Layout& l, const Buffer& to, Plain& from, std::int64_t y, std::int64_t z) {
    T* const row = reinterpret_cast<T*>(to.data() + l.at(y, z));
    for (std::int64_t x = -1; x <= g.nx; ++x) row[x] = static_cast<T>(from.at(x, y, z));
}

/// The largest difference after three runs, in units of the tolerance.
template <typename T>
double error_after_three_runs(const Grid& g, const Choice& choice, const Target& target, Team& team) {
    const Layout layout = layout_of(g, choice.padding);
    const Coefficients c = coefficients_of(g.points);
    Stepper stepper(g, c, choice, kernels_of(g, choice, choose_isa(target.width_bits)), layout,
                    AfterLast::closed, team);
    const auto bytes = static_cast<std::size_t>(layout.bytes);
    Buffer now(bytes), next(bytes), between(bytes);
    for (const Buffer* b : {&now, &next, &between}) std::memset(b->data(), 0xFF, bytes);
    Plain plain(g);
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
    for (int run = 0; run < 3; ++run) {
        stepper.run(now.data(), between.data(), next.data());
        std::swap(now, next);
        for (std::int64_t s = 0; s < g.steps; ++s) plain.step(c);
    }
    double error = 0.0;
    for (std::int64_t z = 0; z < g.nz; ++z) {
        for (std::int64_t y = 0; y < g.ny; ++y) {
            const T* const row = reinterpret_cast<const T*>(now.data() + layout.at(y, z));
            for (std::int64_t x = 0; x < g.nx; ++x) {
                error = std::max(
                    error, error_of(static_cast<double>(row[x]), plain.at(x, y, z), 3.0 * tolerance_of(g)));
            }
        }
    }
    return error;
}

}  // namespace

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
