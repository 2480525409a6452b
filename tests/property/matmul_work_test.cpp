// Work of matmul variants: admissible and monotone by random descents; counts against loops by hand.
#include <chrono>
#include <iostream>
#include <random>

#include "kernels/matmul/in_core.h"
#include "kernels/matmul/likely.h"
#include "kernels/matmul/space.h"
#include "kernels/matmul/work.h"
#include "tests/support/catch.h"
#include "tests/support/least_work.h"
#include "tests/unit/matmul/support.h"

using namespace rooftune;
using namespace rooftune::matmul;
using namespace rooftune::matmul_test;
using rooftune::test::permits;

namespace {

struct Setting {
    std::unique_ptr<MatmulProblem> problem;
    Target target;
    Space space;
    std::unique_ptr<WorkModel> model;
};

Setting setting_of(const std::string& text, int threads) {
    auto problem = MatmulProblem::load(spec_of(text));
    const Target target = target_of({128, 256, 512}, threads);
    Space space = make_space(*problem, target);
    auto model = make_work_model(*problem, space, State::warm);
    return {std::move(problem), target, std::move(space), std::move(model)};
}

const std::vector<std::string>& problems() {
    static const std::vector<std::string> list{
        "m=1,n=1,k=1",        "m=2,n=3,k=5,transb=yes", "m=64,n=64,k=64,beta=1",
        "m=33,n=65,k=129",    "m=200,n=1,k=7",          "m=3,n=300,k=2,dtype=f32",
        "m=300,n=1100,k=700", "m=1024,n=1024,k=1024",   "m=29,n=31,k=1000,dtype=f32,transa=yes",
    };
    return list;
}

/// The bound's chain term, with a window: what counts is that it grows with the fields.
double chain_seconds(const Work& w, double window) {
    const double length = w.chain_instructions.value;
    if (w.chain_repeats <= 1.0 || length <= window) return w.chain_steps.value;
    return w.chain_steps.value * (1.0 + (w.chain_repeats - 1.0) * (1.0 - window / length));
}

}  // namespace

TEST_CASE("matmul: work never falls on random descents, nor when parameters are fixed in any order") {
    std::mt19937 random(7);
    for (const std::string& text : problems()) {
        for (const int threads : {1, 2, 4}) {
            const Setting s = setting_of(text, threads);
            int wrong = 0;
            for (int descent = 0; descent < 150; ++descent) {
                std::vector<PartialVariant> path{{}};
                std::vector<PartialVariant> below;
                while (s.space.first_free(path.back()) >= 0) {
                    s.space.children(path.back(), below);
                    REQUIRE(!below.empty());
                    path.push_back(below[random() % below.size()]);
                    // 2d has no threads to share on one or two: a dead end is no variant.
                    s.space.children(path.back(), below);
                    if (below.empty() && s.space.first_free(path.back()) >= 0) path.pop_back();
                }
                for (std::size_t i = 0; i + 1 < path.size(); ++i) {
                    if (!permits(*s.model, path[i], path[i + 1])) ++wrong;
                    if (!permits(*s.model, path[i], path.back())) ++wrong;
                    for (const double window : {0.0, 200.0, 512.0}) {
                        if (chain_seconds(s.model->work(path[i]), window) >
                            chain_seconds(s.model->work(path.back()), window))
                            ++wrong;
                    }
                }
                PartialVariant partial;
                std::vector<int> order(kParameterCount);
                for (int p = 0; p < kParameterCount; ++p) order[static_cast<std::size_t>(p)] = p;
                std::shuffle(order.begin(), order.end(), random);
                for (const int p : order) {
                    PartialVariant next = partial;
                    next.fix(p, path.back()[p]);
                    if (!permits(*s.model, partial, next) || !permits(*s.model, next, path.back())) ++wrong;
                    partial = next;
                }
            }
            INFO(text << ", " << threads << " threads");
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("matmul: a wrong work would be seen by the comparison") {
    const Setting s = setting_of("m=64,n=64,k=64", 2);
    const Variant v = default_variant(*s.problem, s.space, s.target);
    CHECK(permits(*s.model, {}, v));
    CHECK_FALSE(permits(*s.model, v, {}));
}

TEST_CASE("matmul: counts agree with the loops counted by hand") {
    // 31 rows as two strips of 14 and one of 4; 20 columns as two strips of 16; 10 steps.
    const auto problem = MatmulProblem::load(spec_of("m=31,n=20,k=10"));
    Choice c;
    c.width_bits = 512;
    c.lanes = 8;
    c.tile = {14, 2, 2};
    c.nr = 16;
    c.kc = 4;
    const ThreadWork w = tiled_work(*problem, c, 31, 20);
    CHECK(w.in_core.fmas.value == (14 + 14 + 4) * 2 * 2 * 10);
    CHECK(w.in_core.ops.value == w.in_core.fmas.value * 16);
    CHECK(w.in_core.fused.value == w.in_core.ops.value);
    CHECK(w.in_core.loads.value == (32 + 3 * 2) * 2 * 10);
    CHECK(w.in_core.instructions.value == w.in_core.fmas.value + 3 * 2 * 2 * 10);
    // Of these the vectors of B; the elements of A are broadcast.
    CHECK(w.in_core.wide_loads.value == 3 * 2 * 2 * 10);
    Choice scalar = c;
    scalar.width_bits = 64;
    scalar.lanes = 1;
    CHECK(tiled_work(*problem, scalar, 31, 20).in_core.wide_loads.value == 0.0);
    CHECK(naive_work(*problem, 31).in_core.wide_loads.value == 0.0);
    // Two whole strips × two columns × three blocks of k (4, 4, 2).
    CHECK(w.chain_repeats == 12.0);
    const Chain chain = chain_of(*problem, c, 31);
    CHECK(chain.steps * 3 == Approx(10.0));
    CHECK(chain.instructions == Approx(chain.steps * 28));
    // Less than a tile: its short kernel is the chain.
    CHECK(tiled_work(*problem, c, 3, 20).chain_repeats == 6.0);
    CHECK(chain_of(*problem, c, 3).instructions == Approx(chain.steps * 4 * 2));
    // f64 in 128-bit vectors: two products an instruction.
    CHECK(naive_work(*problem, 31).in_core.fmas.value == 31 * 20 * 10 / 2);
    // A compiler may do without fused ones, and a space that has both does not promise any.
    CHECK(naive_work(*problem, 31).in_core.fused.value == 0.0);
    const Setting both = setting_of("m=31,n=20,k=10", 2);
    CHECK(both.model->work(PartialVariant{}).total.fused.value == 0.0);
    PartialVariant tiled;
    tiled.fix(kMethod, 0);
    CHECK(both.model->work(tiled).total.fused.value >= 2.0 * 31 * 20 * 10);
    // With scalar code among them, no vectors are promised; of vectors, the narrowest.
    CHECK(both.model->work(tiled).heaviest.wide_loads.value == 0.0);
    for (int simd = 1; simd <= 3; ++simd) {
        PartialVariant wide = tiled;
        wide.fix(kSimd, simd);
        CHECK(both.model->traits(wide).load_bits == 64 << simd);
        // Vectors of 128 bits also run where there is no such instruction.
        CHECK(both.model->work(wide).chain_fused == (simd > 1));
        CHECK(both.model->work(wide).heaviest.wide_loads.value > 0.0);
    }
}

TEST_CASE("matmul: bytes are the matrices, and the threads' parts add up") {
    const Setting s = setting_of("m=100,n=50,k=30,beta=1,dtype=f32", 4);
    s.space.each({}, [&](const Variant& v) {
        if (v[kUnroll] > 0 || v[kPackA] > 0 || v[kPackB] > 0 || v[kOrder] > 0 || v[kMc] > 0 || v[kAhead] > 0)
            return true;
        const Work w = s.model->work(v);
        CHECK(w.traffic.reads.value == 4.0 * (100 * 30 + 30 * 50 + 100 * 50));
        CHECK(w.traffic.writes.value == 4.0 * 100 * 50);
        CHECK(w.traffic.products == 100.0 * 50 * 30);
        CHECK(w.flops_nominal.value == 2.0 * 100 * 50 * 30);
        const int threads = decode(s.space, v, *s.problem).threads;
        CHECK(w.heaviest.ops <= w.total.ops);
        CHECK(w.heaviest.ops.value * threads >= w.total.ops.value * (1 - 1e-12));
        CHECK(w.total.ops.value >= w.flops_nominal.value);
        CHECK(w.heaviest_traffic.reads <= w.traffic.reads);
        CHECK(w.heaviest_traffic.writes <= w.traffic.writes);
        return true;
    });
    const Setting fresh = setting_of("m=100,n=50,k=30", 1);
    CHECK(fresh.model->work({}).traffic.reads.value == 8.0 * (100 * 30 + 30 * 50));
}

TEST_CASE("matmul: likely traffic falls with capacity, from every strip's to the least") {
    const Setting s = setting_of("m=512,n=512,k=512", 2);
    std::mt19937 random(3);
    int checked = 0;
    s.space.each({}, [&](const Variant& v) {
        if (random() % 400 != 0) return true;
        const Choice c = decode(s.space, v, *s.problem);
        double before = 1e300;
        for (double capacity = 1024.0; capacity < 64e6; capacity *= 2) {
            const double bytes = likely_bytes(*s.problem, c, capacity);
            if (bytes > before * (1 + 1e-12)) FAIL_CHECK(s.space.to_text(v) << " at " << capacity);
            before = bytes;
        }
        CHECK(before == 0.0);
        CHECK(likely_bytes(*s.problem, c, 1024.0) >= 8.0 * 3 * 512 * 512);
        ++checked;
        return true;
    });
    CHECK(checked > 20);
}

TEST_CASE("matmul: asking for work takes no time") {
    const Setting s = setting_of("m=1024,n=1024,k=1024", 2);
    std::vector<Variant> variants;
    s.space.each({}, [&](const Variant& v) {
        variants.push_back(v);
        return variants.size() < 20000;
    });
    double sum = 0.0;
    const auto begin = std::chrono::steady_clock::now();
    for (const Variant& v : variants) sum += s.model->work(v).total.ops.value;
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    std::cout << "matmul work(variant): " << took.count() / static_cast<double>(variants.size()) << " ns\n";
    CHECK(sum > 0.0);
}
