// A and B are kept between variants: filled once a seed, and again where somebody wrote into them.
#include "kernels/matmul/operands.h"

#include <algorithm>

#include "kernels/matmul/bench.h"
#include "kernels/matmul/fill.h"
#include "tests/support/catch.h"
#include "tests/unit/matmul/support.h"

using namespace rooftune;
using namespace rooftune::matmul;
using namespace rooftune::matmul_test;

namespace {

template <typename T>
bool holds_as(const MatmulProblem& p, const Input& input, std::uint64_t seed) {
    bool right = true;
    for (std::int64_t i = 0; i < p.m() * p.k(); ++i)
        right = right && input.a.as<T>()[i] == static_cast<T>(input_element(seed, Operand::a, i));
    for (std::int64_t i = 0; i < p.k() * p.n(); ++i)
        right = right && input.b.as<T>()[i] == static_cast<T>(input_element(seed, Operand::b, i));
    return right;
}

bool holds(const MatmulProblem& p, const Input& input, std::uint64_t seed) {
    return p.dtype() == DType::f64 ? holds_as<double>(p, input, seed) : holds_as<float>(p, input, seed);
}

}  // namespace

TEST_CASE("matmul: operands are those of the seed that was asked for, however many there were before") {
    Team team(cpus_of(2)), alone(cpus_of(1));
    for (const char* text : {"m=5,n=7,k=11", "m=5,n=7,k=11,dtype=f32"}) {
        const auto p = MatmulProblem::load(spec_of(text));
        for (const int threads : {1, 2}) {
            Operands operands(*p, {Pages::small, threads});
            for (const std::uint64_t seed : {0U, 1U, 2U, 3U, 1U, 0U, 0U, 5U}) {
                const Input& input = operands.input(seed, team);
                CHECK(holds(*p, input, seed));
                CHECK(operands.intact(input, team));
                CHECK(operands.intact(input, alone));
            }
            // The last three are still where they were.
            const Input* first = &operands.input(6, team);
            operands.input(7, team);
            operands.input(8, team);
            CHECK(holds(*p, *first, 6));
            CHECK(first == &operands.input(6, team));
        }
    }
}

TEST_CASE("matmul: what was written into operands is seen, wherever it was, and mended for the next") {
    const auto p = MatmulProblem::load(spec_of("m=3,n=13,k=17"));
    Team team(cpus_of(2));
    Operands operands(*p, {Pages::huge, 2});
    for (const Operand which : {Operand::a, Operand::b}) {
        const std::int64_t count = which == Operand::a ? p->m() * p->k() : p->k() * p->n();
        for (std::int64_t at = 0; at < count; ++at) {
            const Input& input = operands.input(1, team);
            (which == Operand::a ? input.a : input.b).as<double>()[at] += 0x1p-40;
            CHECK_FALSE(operands.intact(input, team));
            CHECK(holds(*p, operands.input(1, team), 1));
        }
    }
    const Input& input = operands.input(1, team);
    input.b.data()[input.b.bytes()] = std::byte{1};
    CHECK_FALSE(operands.intact(input, team));
    CHECK(operands.intact(operands.input(1, team), team));
}

TEST_CASE("matmul: operands that somebody negates, reverses or swaps are not intact") {
    for (const char* text : {"m=32,n=64,k=128", "m=32,n=64,k=128,dtype=f32", "m=64,n=64,k=64"}) {
        const auto p = MatmulProblem::load(spec_of(text));
        Team team(cpus_of(2));
        Operands operands(*p, {Pages::small, 2});
        const auto change = [&](auto&& how) {
            const Input& input = operands.input(1, team);
            how(input);
            CHECK_FALSE(operands.intact(input, team));
        };
        const auto words = [](const Buffer& b) { return b.view<std::uint64_t>(); };
        change([&](const Input& i) {
            for (std::uint64_t& word : words(i.a)) word ^= 0x8000000080000000U;
        });
        change([&](const Input& i) {
            for (std::uint64_t& word : words(i.b)) word ^= 0x8000000000000000U;
        });
        change([&](const Input& i) { std::reverse(words(i.a).begin(), words(i.a).end()); });
        change([&](const Input& i) { std::swap(words(i.b)[0], words(i.b)[8]); });
        change([&](const Input& i) { std::swap(words(i.b)[0], words(i.b).back()); });
        change([&](const Input& i) { words(i.a)[0] ^= words(i.b)[0]; });
    }
}

TEST_CASE("matmul: variants that share operands are right in any order") {
    const auto p = MatmulProblem::load(spec_of("m=9,n=10,k=6,beta=1"));
    Target target;
    target.width_bits = {128};
    const Space space = make_space(*p, target);
    const auto bench = make_bench(*p, space, target);
    Team team(cpus_of(1));
    const auto one = bench->prepare(naive_variant(space, target), team);
    const auto other = bench->prepare(default_variant(*p, space, target), team);
    const auto right = [&](Prepared& prepared, std::uint64_t seed) {
        prepared.reset(seed);
        prepared.run();
        return prepared.guards_intact() && bench->compare(prepared, seed, team)->error <= 1.0;
    };
    for (const std::uint64_t seed : {1U, 2U, 3U, 1U}) {
        CHECK(right(*one, seed));
        CHECK(right(*other, seed));
    }
    one->run();  // on what is now another seed's: for time only
    CHECK(right(*other, 2));
}
