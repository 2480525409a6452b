// Every variant gives the right answer: spaces of small awkward matrices, thinned only in
// run-time knobs, under every mask of vector widths that this machine can be put under.
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include "kernels/spmv/family.h"
#include "kernels/spmv/kernel.h"
#include "kernels/spmv/space.h"
#include "tests/support/catch.h"
#include "tests/unit/spmv/matrices.h"

using namespace rooftune;
using namespace rooftune::spmv;
using namespace rooftune::spmv_test;

namespace {

/// The worst error over its row's tolerance; infinite when an element is not a number or an exact
/// row is not exact.
double worst(const std::vector<double>& y, const Oracle& oracle) {
    if (y.size() != oracle.expected.size()) return std::numeric_limits<double>::infinity();
    double most = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double error = std::abs(y[i] - oracle.expected[i]);
        if (!(error <= oracle.tolerance[i])) return std::numeric_limits<double>::infinity();
        if (error > 0.0) most = std::max(most, error / oracle.tolerance[i]);
    }
    return most;
}

struct TriedMatrix {
    int variants = 0;
    int wrong = 0;
};

/// Runs each variant that `choose` picks: on one seed, again without a reset, and on another seed.
template <typename Choose>
TriedMatrix try_all(const Family& family, const Problem& problem, const Target& target, Team& team,
                    Choose&& choose) {
    TriedMatrix tried;
    const Space space = family.space(problem, target);
    const auto bench = family.bench(problem, space, target);
    space.each({}, [&](const Variant& v) {
        if (!choose(v)) return true;
        ++tried.variants;
        const auto prepared = bench->prepare(v, team);
        double error = 0.0;
        prepared->reset(1);
        prepared->run();
        error = std::max(error, worst(prepared->output(), bench->oracle(1)));
        prepared->run();
        error = std::max(error, worst(prepared->output(), bench->oracle(1)));
        prepared->reset(2);
        prepared->run();
        error = std::max(error, worst(prepared->output(), bench->oracle(2)));
        if (error > 1.0 || !prepared->guards_intact()) {
            ++tried.wrong;
            if (tried.wrong <= 5)
                FAIL_CHECK(problem.title() << ": wrong answer or guard: " << space.to_text(v));
        }
        return true;
    });
    return tried;
}

/// One thread, one stream, no prefetch: every format and all compiled code, nothing else.
bool plain(const Variant& v) {
    return v[kThreads] == 0 && v[kStreams] == 0 && v[kPrefetch] == 0;
}

/// Thins the run-time knobs: about one variant in `one_in`, drawn by the variant itself.
bool drawn(const Variant& v, unsigned one_in) {
    unsigned hash = 0;
    for (int p = 0; p < kParameterCount; ++p) hash = hash * 31U + static_cast<unsigned>(v[p] + 3);
    hash ^= hash >> 15;
    hash *= 0x2c1b3c6dU;
    hash ^= hash >> 12;
    return !plain(v) && hash % one_in == 0;
}

}  // namespace

TEST_CASE("every variant is right on awkward matrices, under every mask of widths") {
    const auto family = make_spmv_family();
    int plain_variants = 0;
    int drawn_variants = 0;
    for (const Named& named : awkward_matrices()) {
        for (const DType dtype : {DType::f64, DType::f32}) {
            const auto problem = problem_of(named.matrix, dtype, named.name);
            for (const int most : {128, 256, 512}) {
                Target target = target_of(widths_up_to(most), 2);
                // A mask below what the machine has puts other instruction sets to work.
                if (target.width_bits.empty() || target.width_bits.back() != most) continue;
                const auto run = [&](const std::vector<int>& cpus, auto&& choose) {
                    Team team(cpus);
                    const TriedMatrix tried = try_all(*family, *problem, target, team, choose);
                    CHECK(tried.wrong == 0);
                    return tried.variants;
                };
                plain_variants += run({two_cpus()[0]}, plain);
                drawn_variants += run(two_cpus(), [](const Variant& v) { return drawn(v, 200); });
                if (!kernels_gather(target)) continue;
                // The same set's other kernels; blocks have one way.
                target.slow_gathers = true;
                run({two_cpus()[0]}, [](const Variant& v) {
                    return plain(v) && v[kFormat] != static_cast<int>(Format::bcsr) && v[kSimd] > 0;
                });
            }
        }
    }
    INFO(plain_variants << " plain, " << drawn_variants << " drawn");
    CHECK(plain_variants > 500);
    CHECK(drawn_variants > 50);
}

TEST_CASE("infinite elements of x do not leak into rows that do not use them") {
    // x[0] and the entries behind a row are what masked lanes could pick up; the bench's inputs are
    // finite, so the kernels are called directly.
    const Csr matrix = from_rows(40, {{3, 4, 5},
                                      {},
                                      {0, 1},
                                      {7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23},
                                      {2, 5, 6, 7, 9, 11},
                                      {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}});
    for (const Isa isa : {Isa::sse4, Isa::avx2, Isa::avx3}) {
        const int most = isa == Isa::sse4 ? 128 : isa == Isa::avx2 ? 256 : 512;
        if (widths_up_to(most).empty() || widths_up_to(most).back() != most) continue;
        for (const int width : widths_up_to(most)) {
            for (int way = 0; way < 6; ++way) {
                const int unroll = 1 << (way / 2);
                const bool gathers = way % 2 == 0;
                const Kernel kernel = find_kernel(
                    isa, {Format::csr, DType::f64, {}, 32, lanes_of(DType::f64, width), unroll, gathers});
                REQUIRE(kernel);
                std::vector<double> values = matrix.value;
                std::vector<std::uint32_t> columns = matrix.column;
                values.resize(values.size() + 64, std::numeric_limits<double>::infinity());
                columns.resize(columns.size() + 64, 0xFFFFFFFFU);
                std::vector<double> x(40, 1.0);
                x[0] = std::numeric_limits<double>::infinity();
                std::vector<double> y(6, -1.0);
                std::vector<std::uint32_t> pointer(matrix.row_begin.begin(), matrix.row_begin.end());
                KernelArguments a;
                a.values = values.data();
                a.indices = columns.data();
                a.pointer = pointer.data();
                a.x = x.data();
                a.y = y.data();
                a.rows = 6;
                const Walk walk{0, 0, 6};
                kernel(a, &walk, 1);
                CHECK(y[1] == 0.0);
                CHECK(!std::isfinite(y[2]));
                // Whole vectors, and rests that fill less and more than half of one.
                for (const std::size_t row : {0, 3, 4, 5}) {
                    double sum = 0.0;
                    for (auto k = matrix.row_begin[row]; k < matrix.row_begin[row + 1]; ++k)
                        sum += matrix.value[static_cast<std::size_t>(k)];
                    CHECK(std::abs(y[row] - sum) < 1e-12);
                }
            }
        }
    }
}

TEST_CASE("every placement of a machine with two nodes is right") {
    const auto family = make_spmv_family();
    Team team(two_cpus());
    const auto problem = problem_of(awkward_matrices()[4].matrix, DType::f64, "532x231");
    const TriedMatrix tried =
        try_all(*family, *problem, target_of(widths_up_to(256), 2, 2), team, [](const Variant& v) {
            return v[kPrefetch] == 0 && v[kStreams] == 1 && v[kUnroll] == 0 && drawn(v, 20);
        });
    CHECK(tried.wrong == 0);
    CHECK(tried.variants > 20);
}

TEST_CASE("the bench notices a variant that wants more threads than there are") {
    const auto family = make_spmv_family();
    Team team({two_cpus()[0]});
    const auto problem = problem_of(awkward_matrices()[4].matrix, DType::f64, "532x231");
    const Target target = target_of({}, 2);
    const Space space = family->space(*problem, target);
    const auto bench = family->bench(*problem, space, target);
    CHECK_THROWS_WITH(bench->prepare(family->naive_variant(*problem, space, target), team),
                      Catch::Contains("--threads 2"));
}

TEST_CASE("the comparator refuses NaN, a missing row and twice the answer") {
    Oracle oracle{{1.0, 0.0}, {1e-15, 0.0}};
    CHECK(worst({1.0, 0.0}, oracle) == 0.0);
    CHECK(worst({std::nan(""), 0.0}, oracle) > 1.0);
    CHECK(worst({2.0, 0.0}, oracle) > 1.0);
    CHECK(worst({1.0, 1e-300}, oracle) > 1.0);
    CHECK(worst({1.0}, oracle) > 1.0);
}

TEST_CASE("variants of real matrices, drawn at random, are right") {
    const char* data = std::getenv("ROOFTUNE_DATA");
    if (!data) {
        WARN("skipped: ROOFTUNE_DATA is not set");
        return;
    }
    const auto family = make_spmv_family();
    Team team(two_cpus());
    for (const std::string name : {"BOYD1_A", "CONT-300_A", "bcsstk16"}) {
        for (const std::string dtype : {"f64", "f32"}) {
            const auto problem = family->problem(
                {{"matrix", std::string(data) + "/matrices/" + name + ".mtx.gz"}, {"dtype", dtype}});
            const Target target = target_of(usable_widths(), 2);
            std::mt19937 random(17);
            const TriedMatrix tried = try_all(*family, *problem, target, team,
                                              [&](const Variant&) { return random() % 3000 == 0; });
            INFO(name << ' ' << dtype << ": " << tried.variants);
            CHECK(tried.wrong == 0);
            CHECK(tried.variants > 0);
        }
    }
}
