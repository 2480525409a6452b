// Products of matrices as programs store them: leading dimensions, by rows and by columns, factors of each
// run, sizes of 0, batches, and what is wrong with a C.
#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "kernels/matmul/family.h"
#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/plans/stored_matrix.h"
#include "tests/unit/plans/tuned_folder.h"
#include "tuner/plans/rooftune.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

PlanOptions product_on(int threads) {
    PlanOptions options;
    options.threads = threads;
    return options;
}

// Runs with several factors, the shape's own among them.
template <typename T>
void check_product(MatmulPlan<T>& plan) {
    const MatmulShape& s = plan.shape();
    INFO(s.m << " x " << s.n << " x " << s.k << ", " << s.lda << " " << s.ldb << " " << s.ldc
             << (s.column_major ? ", by columns" : "") << (s.transpose_a ? ", A transposed" : "")
             << (s.transpose_b ? ", B transposed" : "") << ": " << plan.choice().variant);
    StoredProduct<T> of(s);
    auto before = of.c;
    plan.run(of.a.first(), of.b.first(), of.c.first());
    CHECK(of.wrong(static_cast<T>(s.alpha), static_cast<T>(s.beta), before) == 0);
    struct Factors {
        T alpha, beta;
    };
    for (const auto& [alpha, beta] :
         {Factors{1, 0}, Factors{-2, 1}, Factors{T{0.5}, -3}, Factors{0, 2}, Factors{0, 0}, Factors{0, 1}}) {
        before = of.c;
        if (beta == T{0}) std::fill_n(&of.c.at(0, 0), 1, std::numeric_limits<T>::quiet_NaN());
        plan.run(alpha, of.a.first(), of.b.first(), beta, of.c.first());
        INFO("alpha " << alpha << ", beta " << beta);
        CHECK(of.wrong(alpha, beta, before) == 0);
        of.c.fill(9);
    }
}

struct Extra {
    std::int64_t a, b, c;
};

MatmulShape stored_shape(std::int64_t m, std::int64_t n, std::int64_t k, bool ta, bool tb, bool column_major,
                         const Extra& extra) {
    MatmulShape s{m, n, k, 1.0, 0.0, ta, tb, column_major};
    s.lda = (ta != column_major ? m : k) + extra.a;
    s.ldb = (tb != column_major ? k : n) + extra.b;
    s.ldc = (column_major ? m : n) + extra.c;
    return s;
}

}  // namespace

TEST_CASE("matmul storage: leading dimensions, by rows and by columns, with factors of each run") {
    const PlanOptions options = product_on(GENERATE(1, 0));
    const bool by_columns = GENERATE(false, true);
    const bool ta = GENERATE(false, true), tb = GENERATE(false, true);
    for (const Extra& extra : {Extra{0, 0, 0}, Extra{1, 0, 3}, Extra{0, 5, 1}, Extra{64, 7, 64}}) {
        for (const auto& size :
             {MatmulShape{1, 1, 1}, MatmulShape{17, 13, 11}, MatmulShape{33, 5, 40}, MatmulShape{8, 70, 9}}) {
            const MatmulShape s = stored_shape(size.m, size.n, size.k, ta, tb, by_columns, extra);
            MatmulPlan<double> of_doubles = matmul_plan<double>({}, s, options);
            check_product(of_doubles);
            MatmulPlan<float> of_floats = matmul_plan<float>({}, s, options);
            check_product(of_floats);
        }
    }
    // Large enough for the default to pack.
    MatmulPlan<double> packing =
        matmul_plan<double>({}, stored_shape(150, 141, 130, ta, tb, by_columns, {3, 2, 1}), options);
    CHECK(packing.memory_bytes() > 141 * 130 * sizeof(double));
    check_product(packing);
}

TEST_CASE("matmul storage: the shape's own factors and leading dimensions that are left at 0") {
    MatmulShape s{12, 9, 7, -2.0, 3.0, false, true, true};
    MatmulPlan<double> plan = matmul_plan<double>({}, s, product_on(1));
    check_product(plan);
}

TEST_CASE("matmul storage: tuned variants, also for matrices by columns") {
    const auto family = make_matmul_family();
    // By columns this is a product of 29 x 37: m and n, and who is transposed, change places.
    const auto problem = family->problem({{"m", "37"}, {"n", "29"}, {"k", "31"}, {"transb", "yes"}});
    const Space space = family->space(*problem, one_thread());
    for (unsigned seed = 1; seed <= 12; ++seed) {
        const TemporaryFolder folder;
        const Variant winner = unusual_variant(*family, *problem, space, one_thread(), seed);
        write_tuned_config(folder.file("a.json"), config_of(*family, *problem, winner, space));
        const Tuned tuned = load_tuned(folder.path());
        MatmulPlan<double> by_rows = matmul_plan<double>(
            tuned, stored_shape(37, 29, 31, false, true, false, {3, 1, 2}), product_on(1));
        MatmulPlan<double> by_columns =
            matmul_plan<double>(tuned, stored_shape(29, 37, 31, true, false, true, {1, 0, 5}), product_on(1));
        for (MatmulPlan<double>* plan : {&by_rows, &by_columns}) {
            CHECK(plan->choice().from == PlanChoice::From::tuned);
            CHECK(plan->choice().parameters.map() == space.to_map(winner));
            check_product(*plan);
        }
    }
}

TEST_CASE("matmul storage: a config for other factors serves, and is said to") {
    const auto family = make_matmul_family();
    const TemporaryFolder folder;
    const auto add = [&](const char* file, const char* alpha, const char* beta, unsigned seed) {
        const auto problem =
            family->problem({{"m", "37"}, {"n", "29"}, {"k", "31"}, {"alpha", alpha}, {"beta", beta}});
        const Space space = family->space(*problem, one_thread());
        const Variant winner = unusual_variant(*family, *problem, space, one_thread(), seed);
        write_tuned_config(folder.file(file), config_of(*family, *problem, winner, space));
        return space.to_map(winner);
    };
    const auto choice_for = [&](double alpha, double beta) {
        return matmul_plan<double>(load_tuned(folder.path()), {37, 29, 31, alpha, beta}, product_on(1))
            .choice();
    };
    const auto without_c = add("a.json", "1", "0", 3);
    PlanChoice choice = choice_for(1.0, 0.0);
    CHECK(choice.from == PlanChoice::From::tuned);
    CHECK(choice.why == "tuned for this problem on 2026-03-04");
    // Where there is no other, one that does not read C serves for one that does.
    choice = choice_for(-2.0, 1.0);
    CHECK(choice.from == PlanChoice::From::nearby);
    CHECK(choice.why == "tuned for this problem with alpha 1 and beta 0 on 2026-03-04");
    CHECK(choice.parameters.map() == without_c);
    CHECK(choice.seconds_when_tuned == 0.0);
    const auto with_c = add("b.json", "1", "0.5", 4);
    choice = choice_for(-2.0, 1.0);
    CHECK_THAT(choice.why, Contains("with alpha 1 and beta 0.5"));
    CHECK(choice.parameters.map() == with_c);
    CHECK_THAT(choice_for(7.0, 0.0).why, Contains("with alpha 1 and beta 0 "));
    // Another size, type or storage is another problem.
    const Tuned tuned = load_tuned(folder.path());
    CHECK(matmul_plan<double>(tuned, {37, 29, 32}, product_on(1)).choice().from ==
          PlanChoice::From::fallback);
    CHECK(matmul_plan<float>(tuned, {37, 29, 31}, product_on(1)).choice().from == PlanChoice::From::fallback);
    CHECK(matmul_plan<double>(tuned, {.m = 37, .n = 29, .k = 31, .transpose_a = true}, product_on(1))
              .choice()
              .from == PlanChoice::From::fallback);
}

TEST_CASE("matmul storage: sizes of 0 are as BLAS has them") {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    double c[4] = {1.0, 2.0, kNan, 3.0};
    MatmulPlan<double> no_k = matmul_plan<double>({}, {.m = 2, .n = 1, .k = 0, .ldc = 3});
    CHECK_THAT(no_k.choice().why, Contains("k is 0"));
    CHECK(no_k.memory_bytes() == 0);
    no_k.run(1.0, nullptr, nullptr, 2.0, c);
    CHECK(c[0] == 2.0);
    CHECK(c[1] == 2.0);
    CHECK(std::isnan(c[2]));
    CHECK(c[3] == 6.0);
    c[0] = kNan;
    no_k.run(nullptr, nullptr, c);
    CHECK(c[0] == 0.0);
    CHECK(c[3] == 0.0);
    CHECK_THROWS_WITH(no_k.run(nullptr, nullptr, nullptr), Contains("C is a null pointer"));
    for (const MatmulShape& s : {MatmulShape{0, 3, 2}, MatmulShape{3, 0, 2}, MatmulShape{0, 0, 0}}) {
        MatmulPlan<float> nothing = matmul_plan<float>({}, s);
        CHECK_THAT(nothing.choice().why, Contains("no elements"));
        nothing.run(nullptr, nullptr, nullptr);
        nothing.run_batch(5, 1.0F, nullptr, 0, nullptr, 0, 1.0F, nullptr, 0);
        CHECK(matmul_memory_bytes<float>({}, s) == 0);
    }
}

TEST_CASE("matmul storage: with alpha 0 neither A nor B is looked at") {
    MatmulPlan<double> plan = matmul_plan<double>({}, {2, 2, 2}, product_on(1));
    double c[4] = {1.0, 2.0, 3.0, 4.0};
    plan.run(0.0, nullptr, nullptr, 3.0, c);
    CHECK(c[3] == 12.0);
    // Where they are not read, C may lie over them.
    plan.run(0.0, c, c, 0.0, c);
    CHECK(c[3] == 0.0);
    CHECK_THROWS_WITH(plan.run(1.0, nullptr, c, 0.0, c), Contains("A is a null pointer"));
}

TEST_CASE("matmul storage: shapes and factors that are none") {
    const auto refused = [](const MatmulShape& s, const char* why) {
        CHECK_THROWS_WITH(matmul_plan<double>({}, s), Contains(why));
    };
    refused({-1, 2, 2}, "m is -1; give a whole number from 0 on");
    refused({2, -1, 0}, "n is -1");
    refused({2, 2, -5}, "k is -5");
    refused({.m = 2, .n = 3, .k = 4, .lda = 3}, "lda is 3, and a row has 4 elements");
    refused({.m = 2, .n = 3, .k = 4, .ldb = 2}, "ldb is 2, and a row has 3 elements");
    refused({.m = 2, .n = 3, .k = 4, .ldc = -3}, "ldc is -3");
    refused({.m = 5, .n = 3, .k = 4, .column_major = true, .lda = 4},
            "lda is 4, and a column has 5 elements");
    refused({.m = 2, .n = 3, .k = 4, .transpose_a = true, .lda = 1}, "lda is 1, and a row has 2 elements");
    refused({.m = 2, .n = 3, .k = 4, .ldc = std::int64_t{1} << 33}, "ldc is 8589934592");
    refused({std::int64_t{1} << 25, 1, 0}, "m=33554432");
    refused({.m = 0, .n = 1, .k = 1, .alpha = std::nan("")}, "alpha");
    MatmulPlan<double> plan = matmul_plan<double>({}, {2, 2, 2}, product_on(1));
    const double a[4] = {};
    double c[4] = {};
    CHECK_THROWS_WITH(plan.run(std::nan(""), a, a, 0.0, c), Contains("alpha is nan"));
    CHECK_THROWS_WITH(plan.run(1.0, a, a, HUGE_VAL, c), Contains("beta is inf"));
}

TEST_CASE("matmul storage: blocks of one matrix may be multiplied into another block of it") {
    // C is the right half of the rows whose left half is A; B the left half of the rows above.
    std::vector<double> all(6 * 8, 1.0);
    MatmulPlan<double> plan =
        matmul_plan<double>({}, {.m = 2, .n = 4, .k = 4, .lda = 8, .ldb = 8, .ldc = 8}, product_on(1));
    plan.run(1.0, &all[4 * 8], all.data(), 1.0, &all[4 * 8 + 4]);
    CHECK(all[4 * 8 + 3] == 1.0);
    CHECK(all[4 * 8 + 4] == 5.0);
    CHECK(all[5 * 8 + 7] == 5.0);
    CHECK_THROWS_WITH(plan.run(1.0, &all[4 * 8], all.data(), 1.0, &all[4 * 8 + 3]),
                      Contains("A and C overlap"));
    CHECK_THROWS_WITH(plan.run(1.0, &all[4 * 8], all.data(), 1.0, &all[3 * 8 + 3]), Contains("overlap"));
    CHECK_THROWS_WITH(plan.run(1.0, all.data(), &all[8], 1.0, &all[4 * 8]), Contains("B and C overlap"));
    CHECK(all[4 * 8 + 4] == 5.0);
}

TEST_CASE("matmul storage: batches with strides") {
    const int threads = GENERATE(1, 0);
    constexpr std::int64_t kM = 5, kN = 7, kK = 6, kCount = 9;
    // All C side by side in one matrix of kCount · kN columns; one B for all; the A backwards.
    MatmulPlan<double> plan =
        matmul_plan<double>({}, {.m = kM, .n = kN, .k = kK, .ldc = kCount * kN}, product_on(threads));
    std::vector<double> a(kCount * kM * kK), b(kK * kN), c(kM * kCount * kN, 1.0);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i % 11) - 5.0;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<double>(i % 7) - 3.0;
    plan.run_batch(kCount, 2.0, &a[(kCount - 1) * kM * kK], -kM * kK, b.data(), 0, -1.0, c.data(), kN);
    std::vector<double> one(kM * kN);
    MatmulPlan<double> single = matmul_plan<double>({}, {kM, kN, kK}, product_on(1));
    for (std::int64_t i = 0; i < kCount; ++i) {
        std::fill(one.begin(), one.end(), 1.0);
        single.run(2.0, &a[static_cast<std::size_t>((kCount - 1 - i) * kM * kK)], b.data(), -1.0, one.data());
        bool same = true;
        for (std::int64_t row = 0; row < kM; ++row)
            same = same && std::equal(&one[static_cast<std::size_t>(row * kN)],
                                      &one[static_cast<std::size_t>(row * kN)] + kN,
                                      &c[static_cast<std::size_t>(row * kCount * kN + i * kN)]);
        CHECK(same);
    }
    plan.run_batch(kCount, 0.0, nullptr, 8, nullptr, 8, 0.0, c.data(), kN);
    CHECK(std::all_of(c.begin(), c.end(), [](double v) { return v == 0.0; }));
    plan.run_batch(0, 1.0, nullptr, 1, nullptr, 1, 0.0, nullptr, 1);
    c[0] = 42.0;
    const auto refused = [&](std::int64_t count, std::int64_t stride_a, std::int64_t stride_c,
                             const char* why) {
        CHECK_THROWS_WITH(
            plan.run_batch(count, 1.0, a.data(), stride_a, b.data(), 0, 0.0, c.data(), stride_c),
            Contains(why));
    };
    refused(-1, 1, kN, "a batch of -1 products");
    refused(2, 1, 0, "C of product 0 and C of product 1 overlap");
    refused(2, 1, kN - 1, "C of product 0 and C of product 1 overlap");
    refused(kCount + 1, 0, kN, "C of product 0 and C of product 9 overlap");
    refused(kCount, std::int64_t{1} << 62, kN, "a stride of A of 4611686018427387904 elements");
    CHECK_THROWS_WITH(plan.run_batch(kCount, 1.0, a.data(), kM * kK, nullptr, 0, 0.0, c.data(), kN),
                      Contains("B of product 0 is a null pointer"));
    // Before anything is computed.
    CHECK(c[0] == 42.0);
    // A lies under C at first, or comes there later.
    std::vector<double> together(200);
    CHECK_THROWS_WITH(single.run_batch(2, 1.0, &together[30], 90, b.data(), 0, 0.0, &together[32], kM * kN),
                      Contains("A and C of product 0 overlap"));
    CHECK_THROWS_WITH(single.run_batch(2, 1.0, &together[0], 110, b.data(), 0, 0.0, &together[95], kM * kN),
                      Contains("A and C of product 1 overlap"));
}

TEST_CASE("matmul storage: batches of pointers, in any order") {
    const int threads = GENERATE(1, 0);
    const MatmulShape s{9, 4, 5, 1.0, 0.0, true, false};
    MatmulPlan<float> plan = matmul_plan<float>({}, s, product_on(threads));
    constexpr std::size_t kCount = 6;
    std::vector<StoredProduct<float>> products;
    for (unsigned i = 0; i < kCount; ++i) products.emplace_back(s, 10 * i);
    std::vector<const float*> a, b;
    std::vector<float*> c;
    for (const std::size_t i : {3U, 1U, 4U, 0U, 5U, 2U}) {
        a.push_back(products[i].a.first());
        b.push_back(products[i].b.first());
        c.push_back(products[i].c.first());
    }
    std::vector<StoredMatrix<float>> before;
    for (const auto& product : products) before.push_back(product.c);
    plan.run_batch(kCount, -1.0F, a.data(), b.data(), 2.0F, c.data());
    for (std::size_t i = 0; i < kCount; ++i) CHECK(products[i].wrong(-1.0F, 2.0F, before[i]) == 0);
    const float first = products[3].c.at(0, 0);
    const auto refused = [&](const char* why) {
        CHECK_THROWS_WITH(plan.run_batch(kCount, 1.0F, a.data(), b.data(), 0.0F, c.data()), Contains(why));
    };
    float* const spared = c[4];
    c[4] = c[1];
    refused("C of product 1 and C of product 4 overlap");
    c[4] = c[1] + 3;
    refused("C of product 1 and C of product 4 overlap");
    c[4] = nullptr;
    refused("C of product 4 is a null pointer");
    c[4] = spared;
    a[5] = nullptr;
    refused("A of product 5 is a null pointer");
    a[5] = c[5];
    refused("A and C of product 5 overlap");
    CHECK_THROWS_WITH(plan.run_batch(kCount, 1.0F, a.data(), nullptr, 0.0F, c.data()),
                      Contains("the list of B is a null pointer"));
    CHECK_THROWS_WITH(plan.run_batch(-2, 1.0F, a.data(), b.data(), 0.0F, c.data()), Contains("-2"));
    CHECK(products[3].c.at(0, 0) == first);
    plan.run_batch(kCount, 0.0F, nullptr, nullptr, 0.0F, c.data());
    CHECK(products[2].c.at(8, 3) == 0.0F);
    plan.run_batch(0, 1.0F, nullptr, nullptr, 0.0F, nullptr);
}

TEST_CASE(
    "matmul storage: parts of a product by columns with leading dimensions, and of one that only scales") {
    MatmulShape s = stored_shape(40, 50, 60, true, false, true, {2, 3, 4});
    s.alpha = -2.0;
    s.beta = 3.0;
    MatmulPlan<double> plan = matmul_plan<double>({}, s, product_on(0));
    s.k = 0;
    s.lda = s.ldb = 0;
    MatmulPlan<double> none = matmul_plan<double>({}, s, product_on(0));
    StoredProduct<double> of(plan.shape()), nothing(none.shape());
    auto before = of.c, nothing_before = nothing.c;
    const auto in_parts = [](const auto& run_part) {
        std::thread other([&] { run_part(1); });
        run_part(0);
        other.join();
    };
    in_parts([&](int i) { plan.run_part(i, 2, of.a.first(), of.b.first(), of.c.first()); });
    CHECK(of.wrong(-2.0, 3.0, before) == 0);
    in_parts([&](int i) { none.run_part(i, 2, nullptr, nullptr, nothing.c.first()); });
    CHECK(nothing.wrong(-2.0, 3.0, nothing_before) == 0);
}

TEST_CASE("matmul storage: what a plan holds, before and after it is made") {
    const PlanOptions options = product_on(GENERATE(1, 0));
    for (const MatmulShape& s :
         {MatmulShape{8, 8, 8}, MatmulShape{150, 141, 130},
          MatmulShape{.m = 300, .n = 20, .k = 700, .column_major = true}, MatmulShape{1, 1, 1}}) {
        const MatmulPlan<double> plan = matmul_plan<double>({}, s, options);
        CHECK(plan.memory_bytes() == matmul_memory_bytes<double>({}, s, options));
        if (s.m > 1) CHECK(plan.memory_bytes() > 0);
    }
    CHECK(matmul_memory_bytes<double>({}, {8, 8, 8}, options) <= 64 * 1024);
    CHECK_THROWS_AS(matmul_memory_bytes<double>({}, {-1, 1, 1}), InputError);
}
