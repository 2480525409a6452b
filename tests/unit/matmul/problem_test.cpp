// Problems, their mistakes, and what a right answer is.
#include <cmath>
#include <set>

#include "kernels/matmul/fill.h"
#include "kernels/matmul/oracle.h"
#include "kernels/matmul/problem.h"
#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/matmul/support.h"

using namespace rooftune;
using namespace rooftune::matmul;
using namespace rooftune::matmul_test;
using Catch::Contains;

namespace {

/// One element by its definition, summed backwards.
double element(const MatmulProblem& p, std::uint64_t seed, std::int64_t i, std::int64_t j) {
    const auto rounded = [&](double x) {
        return p.dtype() == DType::f32 ? static_cast<double>(static_cast<float>(x)) : x;
    };
    double sum = 0.0;
    for (std::int64_t q = p.k(); q-- > 0;) {
        const std::int64_t at_a = p.transpose_a() ? q * p.lda() + i : i * p.lda() + q;
        const std::int64_t at_b = p.transpose_b() ? j * p.ldb() + q : q * p.ldb() + j;
        sum +=
            rounded(input_element(seed, Operand::a, at_a)) * rounded(input_element(seed, Operand::b, at_b));
    }
    return p.alpha() * sum + p.beta() * rounded(input_element(seed, Operand::c, i * p.ldc() + j));
}

}  // namespace

TEST_CASE("matmul: a problem is its sizes, its type and its options") {
    const auto p = MatmulProblem::load(spec_of("m=3,n=4,k=5,dtype=f32,transa=yes,alpha=0.5,beta=-2"));
    CHECK(p->m() == 3);
    CHECK(p->n() == 4);
    CHECK(p->k() == 5);
    CHECK(p->lda() == 3);
    CHECK(p->ldb() == 4);
    CHECK(p->ldc() == 4);
    CHECK(p->alpha() == 0.5);
    CHECK(p->beta() == -2.0);
    CHECK(p->dtype() == DType::f32);
    CHECK(p->flops_nominal() == 120.0);
    CHECK(MatmulProblem::load(p->spec())->digest() == p->digest());
    CHECK(p->title() == "matmul 3x4x5 f32, A transposed, alpha 0.5, beta -2");
    CHECK(MatmulProblem::load(spec_of("m=3,n=4,k=5,alpha=0.1,dtype=f32"))->alpha() ==
          static_cast<double>(0.1F));

    std::set<std::string> digests;
    for (const char* text : {"m=3,n=4,k=5", "m=4,n=3,k=5", "m=3,n=4,k=5,dtype=f32", "m=3,n=4,k=5,transa=yes",
                             "m=3,n=4,k=5,transb=yes", "m=3,n=4,k=5,alpha=2", "m=3,n=4,k=5,beta=2"})
        digests.insert(MatmulProblem::load(spec_of(text))->digest());
    CHECK(digests.size() == 7);
}

TEST_CASE("matmul: mistakes are named with what to do") {
    const auto load = [](const char* text) { return MatmulProblem::load(spec_of(text)); };
    CHECK_THROWS_WITH(load("m=3,n=4"), Contains("'k' is missing") && Contains("m=1024"));
    CHECK_THROWS_WITH(load("m=3,n=4,k=0"), Contains("k=0") && Contains("from 1"));
    CHECK_THROWS_WITH(load("m=-3,n=4,k=1"), Contains("m=-3"));
    for (const char* text : {"m=3.5,n=4,k=1", "m=1e-3,n=4,k=1", "m=1.5e0,n=4,k=1", "m=1e8,n=4,k=1"})
        CHECK_THROWS_WITH(load(text), Contains(std::string(text).substr(0, 4)) && Contains("whole number"));
    CHECK(load("m=1e3,n=2.5E1,k=4")->spec() == load("m=1000,n=25,k=4")->spec());
    CHECK_THROWS_WITH(load("m=3,n=99999999999999999999,k=1"), Contains("whole number"));
    CHECK_THROWS_WITH(load("m=16777216,n=16777216,k=1"), Contains("C would have"));
    CHECK_THROWS_WITH(load("m=3,n=4,k=1,transA=yes"), Contains("did you mean 'transa'"));
    CHECK_THROWS_WITH(load("m=3,n=4,k=1,transa=y"), Contains("neither yes nor no"));
    CHECK_THROWS_WITH(load("m=3,n=4,k=1,dtype=f16"), Contains("dtype=f16"));
    CHECK_THROWS_WITH(load("m=3,n=4,k=1,alpha=nan"), Contains("alpha=nan"));
    CHECK_THROWS_WITH(load("m=3,n=4,k=1,beta=1e300,dtype=f32"), Contains("finite"));
    CHECK_THROWS_WITH(load("m=3,n=4,k=1,beta="), Contains("no value"));
    CHECK_THROWS_AS(load("m=x,n=4,k=1"), InputError);
}

TEST_CASE("matmul: inputs have magnitudes from a half to one and differ by seed and operand") {
    std::set<double> seen;
    for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
        for (const std::uint64_t seed : {0U, 1U, 2U}) {
            for (std::int64_t i = 0; i < 100; ++i) {
                const double x = input_element(seed, operand, i);
                CHECK(std::abs(x) >= 0.5);
                CHECK(std::abs(x) <= 1.0);
                seen.insert(x);
            }
        }
    }
    CHECK(seen.size() == 900);
}

TEST_CASE("matmul: the oracle is the definition, and tells wrong answers from rounded ones") {
    for (const char* text :
         {"m=1,n=1,k=1", "m=7,n=5,k=11,transa=yes,beta=1", "m=4,n=9,k=6,transb=yes,alpha=-1.5,beta=0.5",
          "m=8,n=8,k=300,dtype=f32", "m=6,n=3,k=17,dtype=f32,transa=yes,transb=yes,beta=-1",
          "m=3,n=530,k=131,beta=2", "m=5,n=257,k=258,transa=yes,transb=yes", "m=2,n=1,k=129",
          "m=37,n=5,k=9,beta=1,alpha=3"}) {
        const auto p = MatmulProblem::load(spec_of(text));
        const Oracle oracle = make_oracle(*p, 5, nullptr);
        Team team(cpus_of(3));
        const Oracle shared_out = make_oracle(*p, 5, &team);
        CHECK(shared_out.expected == oracle.expected);
        CHECK(shared_out.tolerance == oracle.tolerance);
        REQUIRE(oracle.expected.size() == static_cast<std::size_t>(p->m() * p->n()));
        REQUIRE(oracle.tolerance.size() == oracle.expected.size());
        for (std::int64_t i = 0; i < p->m(); ++i) {
            for (std::int64_t j = 0; j < p->n(); ++j) {
                const auto at = static_cast<std::size_t>(i * p->n() + j);
                CHECK(error_of(element(*p, 5, i, j), oracle.expected[at], oracle.tolerance[at]) <= 1.0);
                // One product left out is far beyond rounding.
                CHECK(oracle.tolerance[at] < 0.01);
                CHECK(error_of(element(*p, 5, i, j) + 0.25, oracle.expected[at], oracle.tolerance[at]) >
                      10.0);
            }
        }
    }
}

TEST_CASE("matmul: planted wrong answers are judged wrong") {
    const auto worst = [](const MatmulProblem& right, const MatmulProblem& wrong) {
        const Oracle oracle = make_oracle(right, 1, nullptr);
        const std::vector<double> found = make_oracle(wrong, 1, nullptr).expected;
        return worst_of(found.data(), oracle, 0, found.size()).error;
    };
    const auto p = MatmulProblem::load(spec_of("m=9,n=9,k=9,beta=1"));
    CHECK(worst(*p, *p) == 0.0);
    CHECK(worst(*p, *MatmulProblem::load(spec_of("m=9,n=9,k=9,beta=1,transa=yes"))) > 100.0);
    CHECK(worst(*p, *MatmulProblem::load(spec_of("m=9,n=9,k=9,beta=1,transb=yes"))) > 100.0);
    CHECK(worst(*p, *MatmulProblem::load(spec_of("m=9,n=9,k=9"))) > 100.0);
    CHECK(worst(*p, *MatmulProblem::load(spec_of("m=9,n=9,k=9,beta=1,alpha=1.001"))) > 100.0);

    const Oracle oracle = make_oracle(*p, 1, nullptr);
    std::vector<double> found = oracle.expected;
    found[40] = std::nan("");
    const Worst nan = worst_of(found.data(), oracle, 0, found.size());
    CHECK(std::isinf(nan.error));
    CHECK(nan.element == 40);
    // Another seed's answer.
    const std::vector<double> other = make_oracle(*p, 2, nullptr).expected;
    CHECK(worst_of(other.data(), oracle, 0, other.size()).error > 100.0);
}

TEST_CASE("matmul: few oracles are kept, and each is that of its seed") {
    const auto p = MatmulProblem::load(spec_of("m=2,n=3,k=4"));
    Oracles oracles(*p);
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 1U, 5U})
        CHECK(oracles.at(seed, nullptr).expected == make_oracle(*p, seed, nullptr).expected);
}
