// A variant on a program's own matrices: right, and nothing beyond them is touched.
#include <algorithm>
#include <limits>
#include <random>

#include "kernels/matmul/fill.h"
#include "kernels/matmul/oracle.h"
#include "kernels/matmul/product.h"
#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/descent.h"
#include "tests/support/fenced.h"
#include "tests/unit/matmul/support.h"

using namespace rooftune;
using namespace rooftune::matmul;
using namespace rooftune::matmul_test;
using test::Fence;
using test::Fenced;

namespace {

template <typename T>
double error_of_product(const MatmulProblem& problem, const Choice& choice, const Target& target, Team& team,
                        Fence fence) {
    const auto elements = [](std::int64_t rows, std::int64_t columns) {
        return static_cast<std::size_t>(rows * columns);
    };
    Fenced<T> a(elements(problem.m(), problem.k()), fence), b(elements(problem.k(), problem.n()), fence),
        c(elements(problem.m(), problem.n()), fence);
    const auto fill = [](const Fenced<T>& to, Operand operand, std::uint64_t seed) {
        fill_slice(to.data(), operand, seed, 0, static_cast<std::int64_t>(to.size()));
    };
    Product<T> product(problem, choice, choose_isa(target.width_bits), team);
    double error = 0.0;
    for (const std::uint64_t seed : {1U, 2U}) {
        fill(a, Operand::a, seed);
        fill(b, Operand::b, seed);
        fill(c, Operand::c, seed);
        if (problem.beta() == 0.0) std::fill_n(c.data(), c.size(), std::numeric_limits<T>::quiet_NaN());
        product.run(a.data(), b.data(), c.data());
        error = std::max(error, worst_of(c.data(), make_oracle(problem, seed, nullptr), 0, c.size()).error);
    }
    return product.intact() ? error : std::numeric_limits<double>::infinity();
}

}  // namespace

TEST_CASE("matmul: a product of a program's own matrices touches nothing beyond them") {
    const Target target = target_of(usable_widths(), 2);
    Team team(cpus_of(2));
    std::mt19937 random(20);
    for (const char* text :
         {"m=1,n=1,k=1", "m=37,n=21,k=19", "m=64,n=48,k=40,transa=yes", "m=33,n=65,k=29,transb=yes,beta=1",
          "m=30,n=31,k=33,transa=yes,transb=yes,dtype=f32,beta=0.5", "m=200,n=3,k=70,dtype=f32"}) {
        const auto problem = MatmulProblem::load(spec_of(text));
        const Space space = make_space(*problem, target);
        int wrong = 0;
        for (const Variant& v : test::some_variants(space, 0, 40, static_cast<unsigned>(random()))) {
            const Choice choice = decode(space, v, *problem);
            for (const Fence fence : {Fence::before, Fence::after}) {
                const double error = problem->dtype() == DType::f64
                                         ? error_of_product<double>(*problem, choice, target, team, fence)
                                         : error_of_product<float>(*problem, choice, target, team, fence);
                if (error > 1.0 && ++wrong <= 3)
                    FAIL_CHECK(text << ": " << error << ": " << space.to_text(v));
            }
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("matmul: a product that wants more threads than there are says so") {
    const Target target = target_of(usable_widths(), 2);
    Team team(cpus_of(1));
    const auto problem = MatmulProblem::load(spec_of("m=64,n=64,k=64"));
    const Space space = make_space(*problem, target);
    const Choice choice = decode(space, default_variant(*problem, space, target), *problem);
    REQUIRE(choice.threads == 2);
    CHECK_THROWS_AS(Product<double>(*problem, choice, choose_isa(target.width_bits), team), EnvironmentError);
}
