// Every variant gives the right answer: spaces of awkward grids, thinned only in run-time knobs, under
// every mask of vector widths that this machine can be put under.
#include <map>

#include "kernels/stencil/bench.h"
#include "tests/support/catch.h"
#include "tests/unit/stencil/grids.h"

using namespace rooftune;
using namespace rooftune::stencil_test;

namespace {

struct Tried {
    int variants = 0;
    int wrong = 0;
};

/// Runs each variant that `choose` picks: on one seed, again without a reset, and on another seed.
template <typename Choose>
Tried try_all(const Grid& grid, const Target& target, Team& team, Choose&& choose) {
    Tried tried;
    const auto family = make_stencil_family();
    const auto problem = family->problem(spec_of(grid));
    const Space space = family->space(*problem, target);
    const auto bench = family->bench(*problem, space, target);
    space.each({}, [&](const Variant& v) {
        if (!choose(v)) return true;
        ++tried.variants;
        const auto prepared = bench->prepare(v, team);
        double error = 0.0;
        for (const std::uint64_t seed : {1U, 2U}) {
            prepared->reset(seed);
            for (int run = 0; run < 2; ++run) {
                prepared->run();
                error = std::max(error, bench->compare(*prepared, seed, team)->error);
            }
        }
        if (error > 1.0 || !prepared->guards_intact()) {
            ++tried.wrong;
            if (tried.wrong <= 5)
                FAIL_CHECK(problem->title() << ": wrong answer or guard: " << space.to_text(v));
        }
        return true;
    });
    return tried;
}

/// What is not compiled in is left as it is by default: each kernel and the plain loop once.
bool plain(const Variant& v) {
    return v[kThreads] == 0 && v[kBlockY] <= 0 && v[kBlockZ] <= 0 && v[kStreams] <= 0 && v[kPrefetch] <= 0 &&
           v[kPadding] <= 0 && v[kPages] <= 0;
}

std::vector<Grid> awkward_grids() {
    std::vector<Grid> grids;
    for (const int points : {7, 27}) {
        for (const DType dtype : {DType::f64, DType::f32}) {
            for (const Boundary boundary : {Boundary::dirichlet, Boundary::periodic}) {
                const auto add = [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t steps) {
                    grids.push_back(grid_of(x, y, z, points, steps, dtype, boundary));
                };
                add(1, 1, 1, 1);
                add(1, 1, 1, 3);
                add(2, 3, 5, 2);
                add(31, 1, 2, 1);
                add(67, 5, 3, 1);
                add(33, 9, 7, 4);
                add(17, 13, 17, 5);
                add(35, 17, 5, 3);
            }
        }
    }
    return grids;
}

}  // namespace

TEST_CASE("stencil: every kernel is right on awkward grids, under every mask of widths") {
    int variants = 0;
    Team team({two_cpus()[0]});  // kernels know nothing of threads
    for (const int most : {128, 256, 512}) {
        // A mask below what the machine has puts other instruction sets to work.
        const Target target = target_of(widths_up_to(most), 2);
        if (target.width_bits.empty() || target.width_bits.back() != most) continue;
        for (const Grid& grid : awkward_grids()) {
            const Tried tried = try_all(grid, target, team, plain);
            CHECK(tried.wrong == 0);
            variants += tried.variants;
        }
    }
    INFO(variants);
    CHECK(variants > 2000);
}

TEST_CASE("stencil: blocks, partitions, streams, prefetch and padding are right") {
    int variants = 0;
    Team team(two_cpus());
    const Target target = target_of(usable_widths(), 2);
    std::vector<Grid> grids = awkward_grids();
    // One less and one more than a block.
    for (const std::int64_t size : {7, 15, 31, 33, 65}) {
        grids.push_back(grid_of(11, size, 5, 7, 1));
        grids.push_back(grid_of(9, 5, size, 7, 6, DType::f32, Boundary::periodic));
        grids.push_back(grid_of(9, size, size, 27, 2, DType::f32));
    }
    grids.push_back(grid_of(300, 9, 5));
    grids.push_back(grid_of(301, 5, 9, 7, 16, DType::f32));
    for (const Grid& grid : grids) {
        const Tried tried = try_all(grid, target, team, [](const Variant& v) { return drawn(v, 600); });
        CHECK(tried.wrong == 0);
        variants += tried.variants;
    }
    INFO(variants);
    CHECK(variants > 500);
}

TEST_CASE("stencil: every placement of a machine with two nodes is right") {
    Team team(two_cpus());
    const Tried tried = try_all(grid_of(33, 9, 12, 7, 3), target_of(widths_up_to(256), 2, 2), team,
                                [](const Variant& v) { return drawn(v, 500); });
    CHECK(tried.wrong == 0);
    CHECK(tried.variants > 20);
}

TEST_CASE("stencil: fused steps give the bits of single ones") {
    Team team(two_cpus());
    const Target target = target_of(usable_widths(), 2);
    const auto family = make_stencil_family();
    for (const Boundary boundary : {Boundary::dirichlet, Boundary::periodic}) {
        for (const DType dtype : {DType::f64, DType::f32}) {
            const Grid grid = grid_of(37, 11, 9, dtype == DType::f64 ? 7 : 27, 9, dtype, boundary);
            const auto problem = family->problem(spec_of(grid));
            const Space space = family->space(*problem, target);
            const auto bench = family->bench(*problem, space, target);
            std::map<std::string, std::vector<double>> single;  // by vector width
            int fused = 0;
            space.each({}, [&](const Variant& v) {
                const bool first_of_width =
                    v[kDepth] == 0 && !single.contains(std::string(space.text(v, kSimd)));
                if (v.absent(kDepth) || (!first_of_width && (v[kDepth] == 0 || !drawn(v, 300)))) return true;
                const auto prepared = bench->prepare(v, team);
                prepared->reset(5);
                prepared->run();
                std::vector<double>& expected = single[std::string(space.text(v, kSimd))];
                if (first_of_width) {
                    expected = prepared->output();
                } else {
                    ++fused;
                    INFO(space.to_text(v));
                    CHECK(prepared->output() == expected);
                }
                return true;
            });
            CHECK(fused > 10);
        }
    }
}

TEST_CASE("stencil: a kernel fed wrong coefficients is judged wrong") {
    Team team(two_cpus());
    const Target target = target_of(usable_widths(), 2);
    for (const DType dtype : {DType::f64, DType::f32}) {
        for (int wrong = -1; wrong < 4; ++wrong) {
            const Grid grid = grid_of(9, 8, 7, 27, 2, dtype);
            const Space space = make_space(grid, target);
            Coefficients c = coefficients_of(27);
            if (wrong >= 0) c[static_cast<std::size_t>(wrong)] *= 1.0009765625;
            const auto bench = make_bench(grid, c, space, target);
            for (const Variant& v : {naive_variant(space, target), default_variant(space, target, grid)}) {
                const auto prepared = bench->prepare(v, team);
                prepared->reset(3);
                prepared->run();
                CHECK((bench->compare(*prepared, 3, team)->error > 1.0) == (wrong >= 0));
            }
        }
    }
}

TEST_CASE("stencil: an answer that was never written is judged wrong, and so are spoilt guards") {
    Team team(two_cpus());
    const Target target = target_of(usable_widths(), 2);
    const Grid grid = grid_of(9, 8, 7);
    const Space space = make_space(grid, target);
    const auto bench = make_bench(grid, coefficients_of(7), space, target);
    const auto prepared = bench->prepare(naive_variant(space, target), team);
    prepared->reset(3);
    CHECK(bench->compare(*prepared, 3, team)->error == std::numeric_limits<double>::infinity());
    CHECK(prepared->guards_intact());
    prepared->run();
    CHECK(bench->compare(*prepared, 3, team)->error <= 1.0);
    CHECK(bench->compare(*prepared, 4, team)->error > 1.0);
}

TEST_CASE("stencil: two prepared variants do not share an answer") {
    Team team(two_cpus());
    const Target target = target_of(usable_widths(), 2);
    const Grid grid = grid_of(9, 8, 7);
    const Space space = make_space(grid, target);
    const auto bench = make_bench(grid, coefficients_of(7), space, target);
    const auto one = bench->prepare(naive_variant(space, target), team);
    const auto two = bench->prepare(default_variant(space, target, grid), team);
    one->reset(1);
    two->reset(2);
    one->run();
    two->run();
    CHECK(bench->compare(*one, 1, team)->error <= 1.0);
    CHECK(bench->compare(*two, 2, team)->error <= 1.0);
    CHECK(one->output() == bench->oracle(1).expected);
}

TEST_CASE("stencil: the bench notices a variant that wants more threads than there are") {
    Team team({two_cpus()[0]});
    const Target target = target_of({}, 2);
    const Grid grid = grid_of(9, 8, 7);
    const Space space = make_space(grid, target);
    const auto bench = make_bench(grid, coefficients_of(7), space, target);
    CHECK_THROWS_WITH(bench->prepare(naive_variant(space, target), team), Catch::Contains("--threads 2"));
}
