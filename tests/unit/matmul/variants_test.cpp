// Every compiled tile and every way through the loops gives the right answer, on sizes around each tile and
// block, under every mask of vector widths that this machine can be put under.
#include <cmath>
#include <map>
#include <random>

#include "kernels/matmul/bench.h"
#include "kernels/matmul/oracle.h"
#include "kernels/matmul/space.h"
#include "tests/support/catch.h"
#include "tests/unit/matmul/support.h"

using namespace rooftune;
using namespace rooftune::matmul;
using namespace rooftune::matmul_test;

namespace {

struct Tried {
    int variants = 0;
    int wrong = 0;
};

/// Runs each variant that `choose` picks, on two seeds, comparing in place and by output().
template <typename Choose>
Tried try_all(const std::string& text, const Target& target, Team& team, Choose&& choose) {
    const auto problem = MatmulProblem::load(spec_of(text));
    const Space space = make_space(*problem, target);
    const auto bench = make_bench(*problem, space, target);
    Tried tried;
    space.each({}, [&](const Variant& v) {
        if (!choose(v)) return true;
        ++tried.variants;
        const auto prepared = bench->prepare(v, team);
        double error = 0.0;
        for (const std::uint64_t seed : {1U, 2U}) {
            prepared->reset(seed);
            prepared->run();
            error = std::max(error, bench->compare(*prepared, seed, team)->error);
            if (problem->beta() == 0.0) prepared->run();
            const std::vector<double> output = prepared->output();
            error = std::max(error, worst_of(output.data(), bench->oracle(seed), 0, output.size()).error);
        }
        if (error > 1.0 || !prepared->guards_intact()) {
            if (++tried.wrong <= 3)
                FAIL_CHECK(problem->title()
                           << ": wrong answer or guard (" << error << "): " << space.to_text(v));
        }
        return true;
    });
    return tried;
}

unsigned hash_of(const Variant& v) {
    unsigned hash = 0;
    for (int p = 0; p < kParameterCount; ++p) hash = hash * 31U + static_cast<unsigned>(v[p] + 3);
    hash ^= hash >> 15;
    hash *= 0x2c1b3c6dU;
    return hash ^ (hash >> 12);
}

/// Each tile with each unrolling, packed and not, on one thread with one block.
bool compiled_code(const Variant& v) {
    return v[kThreads] == 0 && v[kOrder] <= 0 && v[kPages] <= 0 && v[kAhead] <= 0 && v[kMc] <= 0 &&
           v[kNc] <= 0 && v[kKc] <= 0 && (v[kPackA] == v[kPackB] || v[kPackA] == 1) && v[kPrefetchC] <= 0;
}

}  // namespace

TEST_CASE("matmul: every tile is right on awkward sizes, under every mask of widths") {
    const std::vector<std::string> problems{
        "m=1,n=1,k=1",
        "m=2,n=1,k=3,beta=1,dtype=f32",
        "m=13,n=15,k=7,transa=yes",
        "m=15,n=17,k=5,transb=yes,alpha=-1.5,beta=0.5",
        "m=29,n=33,k=3,transa=yes,transb=yes,beta=1,dtype=f32",
        "m=31,n=67,k=10,alpha=2,dtype=f32",
    };
    Team team(cpus_of(1));
    int variants = 0;
    for (const std::string& text : problems) {
        for (const int most : {0, 128, 256, 512}) {
            const std::vector<int> widths = widths_up_to(most);
            if (most > 0 && (widths.empty() || widths.back() != most)) continue;
            const Tried tried = try_all(text, target_of(widths, 1), team, compiled_code);
            CHECK(tried.wrong == 0);
            variants += tried.variants;
        }
    }
    CHECK(variants > 400);
}

TEST_CASE("matmul: sizes one below, at and above each tile") {
    Team team(cpus_of(1));
    int variants = 0;
    for (const std::string dtype : {"f64", "f32"}) {
        for (const int m : {5, 6, 7, 8, 9, 11, 12, 14, 16, 28}) {
            for (const int n : {7, 8, 16, 24, 25, 32}) {
                const std::string text =
                    "m=" + std::to_string(m) + ",n=" + std::to_string(n) + ",k=4,beta=1,dtype=" + dtype;
                const Tried tried =
                    try_all(text, target_of(widths_up_to(512), 1), team,
                            [](const Variant& v) { return compiled_code(v) && hash_of(v) % 9 == 0; });
                CHECK(tried.wrong == 0);
                variants += tried.variants;
            }
        }
    }
    CHECK(variants > 100);
}

TEST_CASE("matmul: blocks, orders, prefetching, packing and threads are right together") {
    // Sizes on both sides of kc = 192 and 256, mc = 96 and 168, nc = 512.
    const std::vector<std::string> problems{
        "m=97,n=513,k=193",
        "m=170,n=530,k=257,transa=yes,beta=1,dtype=f32",
        "m=191,n=40,k=385,transb=yes,alpha=0.5,beta=-1",
        "m=23,n=600,k=31,dtype=f32",
        "m=200,n=1,k=7",
        "m=1,n=200,k=200,beta=2",
    };
    int variants = 0;
    for (const int threads : {1, 2, 4}) {
        Team team(cpus_of(threads));
        for (const std::string& text : problems) {
            const Target target = target_of(widths_up_to(512), threads);
            const std::uint64_t all = make_space(*MatmulProblem::load(spec_of(text)), target).count({});
            // More threads than a small machine has take turns, and time.
            const std::uint64_t drawn = threads == 4 ? 10 : 30;
            const auto one_in = static_cast<unsigned>(std::max<std::uint64_t>(1, all / drawn));
            const Tried tried = try_all(text, target, team, [&](const Variant& v) {
                return v[kMethod] == 1 || hash_of(v) % one_in == 0;
            });
            CHECK(tried.wrong == 0);
            variants += tried.variants;
        }
    }
    CHECK(variants > 200);
}

TEST_CASE("matmul: with beta 0 a poisoned C is not read, whatever alpha") {
    Team team(cpus_of(2));
    for (const char* text : {"m=30,n=30,k=30,alpha=0", "m=30,n=30,k=30,alpha=0,beta=1"}) {
        const Tried tried = try_all(text, target_of(widths_up_to(512), 2), team,
                                    [](const Variant& v) { return hash_of(v) % 50 == 0; });
        CHECK(tried.wrong == 0);
        CHECK(tried.variants > 10);
    }
}

TEST_CASE("matmul: with beta a second run goes on from the first") {
    const auto problem = MatmulProblem::load(spec_of("m=5,n=5,k=1,alpha=0,beta=2"));
    const Target target = target_of(widths_up_to(512), 1);
    const Space space = make_space(*problem, target);
    const auto bench = make_bench(*problem, space, target);
    Team team(cpus_of(1));
    const auto prepared = bench->prepare(default_variant(*problem, space, target), team);
    prepared->reset(3);
    prepared->run();
    const std::vector<double> once = prepared->output();
    prepared->run();
    const std::vector<double> twice = prepared->output();
    for (std::size_t i = 0; i < once.size(); ++i) CHECK(twice[i] == 2.0 * once[i]);
}

TEST_CASE("matmul: comparing in place finds a wrong element in any thread's part") {
    const auto problem = MatmulProblem::load(spec_of("m=8,n=8,k=8"));
    const Target target = target_of(widths_up_to(512), 2);
    const Space space = make_space(*problem, target);
    const auto bench = make_bench(*problem, space, target);
    Team team(cpus_of(2));
    const auto prepared = bench->prepare(default_variant(*problem, space, target), team);
    prepared->reset(1);
    // Nothing ran: the poison is still there.
    CHECK(std::isinf(bench->compare(*prepared, 1, team)->error));
    prepared->run();
    CHECK(bench->compare(*prepared, 1, team)->error <= 1.0);
    CHECK(bench->compare(*prepared, 2, team)->error > 1.0);
}

TEST_CASE("matmul: the bench notices a variant that wants more threads than there are") {
    const auto problem = MatmulProblem::load(spec_of("m=8,n=8,k=8"));
    const Target target = target_of({}, 2);
    const Space space = make_space(*problem, target);
    const auto bench = make_bench(*problem, space, target);
    Team team(cpus_of(1));
    CHECK_THROWS_WITH(bench->prepare(naive_variant(space, target), team), Catch::Contains("--threads 2"));
}
