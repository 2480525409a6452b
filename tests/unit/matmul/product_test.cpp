// A variant on a program's own matrices: right, and nothing beyond them is touched.
#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

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

/// A matrix whose rows lie further apart than they are long, fenced; gaps hold one and the same value.
template <typename T>
class WithGaps {
public:
    WithGaps(std::int64_t rows, std::int64_t length, std::int64_t gap, T in_gaps, Fence fence)
        : rows_(rows),
          length_(length),
          pitch_(length + gap),
          in_gaps_(in_gaps),
          array_(static_cast<std::size_t>((rows - 1) * pitch_ + length), fence) {
        std::fill_n(array_.data(), array_.size(), in_gaps);
    }

    T* data() const { return array_.data(); }
    std::int64_t pitch() const { return pitch_; }
    void take(const std::vector<T>& elements) {
        for (std::int64_t i = 0; i < rows_; ++i)
            std::copy_n(elements.data() + i * length_, length_, data() + i * pitch_);
    }
    std::vector<T> elements() const {
        std::vector<T> all;
        for (std::int64_t i = 0; i < rows_; ++i)
            all.insert(all.end(), data() + i * pitch_, data() + i * pitch_ + length_);
        return all;
    }
    bool gaps_are_as_they_were() const {
        for (std::int64_t i = 0; i + 1 < rows_; ++i) {
            const T* const gap = data() + i * pitch_ + length_;
            if (std::any_of(gap, gap + pitch_ - length_, [&](T v) { return v != in_gaps_; })) return false;
        }
        return true;
    }

private:
    std::int64_t rows_, length_, pitch_;
    T in_gaps_;
    Fenced<T> array_;
};

struct Gaps {
    std::int64_t a = 0, b = 0, c = 0;
};

/// Of a run whose matrices have gaps and whose factors are those of `of`, by a product that was made for
/// `made_for`, with other ones.
template <typename T>
double error_with_gaps(const MatmulProblem& made_for, const MatmulProblem& of, const Choice& choice,
                       const Target& target, Team& team, const Gaps& gaps, Fence fence) {
    const auto filled = [](std::int64_t elements, Operand operand) {
        std::vector<T> values(static_cast<std::size_t>(elements));
        fill_slice(values.data(), operand, 1, 0, elements);
        return values;
    };
    constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
    const std::int64_t m = of.m(), n = of.n(), k = of.k();
    WithGaps<T> a(of.transpose_a() ? k : m, of.transpose_a() ? m : k, gaps.a, kNan, fence);
    WithGaps<T> b(of.transpose_b() ? n : k, of.transpose_b() ? k : n, gaps.b, kNan, fence);
    WithGaps<T> c(m, n, gaps.c, T{-77}, fence);
    a.take(filled(m * k, Operand::a));
    b.take(filled(k * n, Operand::b));
    c.take(of.beta() == 0.0 ? std::vector<T>(static_cast<std::size_t>(m * n), kNan)
                            : filled(m * n, Operand::c));
    Product<T> product(made_for, choice, choose_isa(target.width_bits), team);
    product.run({a.data(), a.pitch(), b.data(), b.pitch(), c.data(), c.pitch(), static_cast<T>(of.alpha()),
                 static_cast<T>(of.beta())});
    const std::vector<T> found = c.elements();
    const double error = worst_of(found.data(), make_oracle(of, 1, nullptr), 0, found.size()).error;
    return c.gaps_are_as_they_were() && product.intact() ? error : std::numeric_limits<double>::infinity();
}

}  // namespace

TEST_CASE("matmul: what lies between rows is neither used nor changed, and factors are those of the run") {
    const Target target = target_of(usable_widths(), 2);
    Team team(cpus_of(2));
    std::mt19937 random(21);
    for (const char* sizes :
         {"m=1,n=1,k=1", "m=37,n=21,k=19", "m=40,n=48,k=30,transa=yes", "m=33,n=65,k=29,transb=yes",
          "m=30,n=31,k=33,transa=yes,transb=yes,dtype=f32", "m=150,n=9,k=270,dtype=f32"}) {
        const auto made_for = MatmulProblem::load(spec_of(sizes));
        const Space space = make_space(*made_for, target);
        int wrong = 0;
        for (const Variant& v : test::some_variants(space, 0, 24, static_cast<unsigned>(random()))) {
            const Choice choice = decode(space, v, *made_for);
            for (const char* factors : {",alpha=-0.5,beta=2", ",alpha=3", ",beta=1"}) {
                const auto of = MatmulProblem::load(spec_of(std::string(sizes) + factors));
                const auto gap = [&] { return static_cast<std::int64_t>(random() % 20); };
                const Gaps gaps{gap(), gap(), gap()};
                const Fence fence = random() % 2 == 0 ? Fence::before : Fence::after;
                const double error =
                    of->dtype() == DType::f64
                        ? error_with_gaps<double>(*made_for, *of, choice, target, team, gaps, fence)
                        : error_with_gaps<float>(*made_for, *of, choice, target, team, gaps, fence);
                if (error > 1.0 && ++wrong <= 3)
                    FAIL_CHECK(sizes << factors << ", gaps " << gaps.a << " " << gaps.b << " " << gaps.c
                                     << ": " << error << ": " << space.to_text(v));
            }
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("matmul: the bytes of packing buffers are known before there are any") {
    const Target target = target_of(usable_widths(), 2);
    Team team(cpus_of(2));
    std::mt19937 random(22);
    std::size_t most = 0;
    for (const char* text :
         {"m=37,n=21,k=19", "m=300,n=200,k=1000,dtype=f32", "m=9,n=700,k=400,transb=yes"}) {
        const auto problem = MatmulProblem::load(spec_of(text));
        const Space space = make_space(*problem, target);
        for (const Variant& v : test::some_variants(space, 0, 24, static_cast<unsigned>(random()))) {
            const Choice choice = decode(space, v, *problem);
            const Isa isa = choose_isa(target.width_bits);
            const auto compare = [&](auto zero) {
                using T = decltype(zero);
                const Product<T> product(*problem, choice, isa, team);
                INFO(text << ": " << space.to_text(v));
                CHECK(Product<T>::buffer_bytes(*problem, choice, isa) == product.buffer_bytes());
                CHECK((product.buffer_bytes() == 0) == choice.naive);
                most = std::max(most, product.buffer_bytes());
            };
            if (problem->dtype() == DType::f64) {
                compare(0.0);
            } else {
                compare(0.0F);
            }
        }
    }
    CHECK(most > std::size_t{64} * 1024);
}

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
