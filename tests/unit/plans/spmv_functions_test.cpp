// What a sparse plan does beside y = A·x, in every format: alpha and beta, the transposed, several vectors.
#include <limits>
#include <utility>

#include "tests/unit/plans/spmv_plans.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

template <typename T>
constexpr T kNaN = std::numeric_limits<T>::quiet_NaN();

template <typename T>
void check_scaled(const Arrays<T>& a) {
    const auto x = whole_numbers<T>(static_cast<std::size_t>(a.cols), 5);
    const auto before = whole_numbers<T>(static_cast<std::size_t>(a.rows), 6);
    const std::vector<T> unset(before.size(), kNaN<T>);
    with_plans_of_all_formats<T>(a.matrix(), [&](SpmvPlan<T>& plan) {
        INFO(plan.choice().variant);
        for (const T alpha : {T{1}, T{-2}, T{0}}) {
            for (const T beta : {T{0}, T{1}, T{3}}) {
                // With beta 0 nothing is read from y, with alpha 0 nothing from x.
                std::vector<T> y = beta == T{0} ? unset : before;
                plan.run(alpha, alpha == T{0} ? nullptr : x.data(), beta, y.data());
                CHECK(y == a.expected(false, alpha, x, beta, before));
            }
        }
        std::vector<T> y = unset;
        plan.run(x.data(), y.data());
        CHECK(y == a.expected(false, T{1}, x, T{0}, before));
    });
}

template <typename T>
void check_transposed(const Arrays<T>& a) {
    const auto x = whole_numbers<T>(static_cast<std::size_t>(a.rows), 5);
    const auto before = whole_numbers<T>(static_cast<std::size_t>(a.cols), 6);
    const std::vector<T> unset(before.size(), kNaN<T>);
    const std::vector<T> plain_x = whole_numbers<T>(static_cast<std::size_t>(a.cols), 9);
    with_plans_of_all_formats<T>(a.matrix(), [&](SpmvPlan<T>& plan) {
        INFO(plan.choice().variant);
        const std::size_t alone = plan.memory_bytes();
        for (const T alpha : {T{0}, T{1}, T{-2}}) {
            for (const T beta : {T{0}, T{3}}) {
                std::vector<T> y = beta == T{0} ? unset : before;
                plan.run_transposed(alpha, alpha == T{0} ? nullptr : x.data(), beta, y.data());
                CHECK(y == a.expected(true, alpha, x, beta, before));
            }
        }
        if (!a.column.empty()) CHECK(plan.memory_bytes() > alone);
        std::vector<T> y(static_cast<std::size_t>(a.rows), kNaN<T>);
        plan.run(plain_x.data(), y.data());
        CHECK(y == a.expected(false, T{1}, plain_x, T{0}, y));
    });
}

}  // namespace

TEST_CASE("spmv plans: y = alpha A x + beta y in every format, zeros as BLAS has them") {
    check_scaled(random_arrays<double>(53, 41, 9, Order::any, 1));
    check_scaled(random_arrays<float>(53, 41, 9, Order::ascending, 2));
    check_scaled(random_arrays<double>(40, 150'000, 60, Order::ascending, 3));
    // Enough rows for the sums to be shared out.
    check_scaled(random_arrays<float>(20'011, 97, 3, Order::any, 4));
}

TEST_CASE("spmv plans: the transposed in every format and shape") {
    check_transposed(random_arrays<double>(53, 41, 9, Order::any, 1));
    check_transposed(random_arrays<float>(41, 53, 9, Order::ascending, 2));
    check_transposed(random_arrays<double>(40, 150'000, 60, Order::ascending, 3));
    check_transposed(random_arrays<float>(150'000, 12, 2, Order::any, 4));
}

TEST_CASE("spmv plans: alpha, beta and the transposed where there are no entries, rows or columns") {
    for (const auto& [rows, cols] : {std::pair{4, 3}, {4, 0}, {0, 4}, {0, 0}}) {
        const Arrays<double> a = random_arrays<double>(rows, cols, 0, Order::any, 1);
        SpmvPlan<double> plan = spmv_plan<double>(Tuned(), a.matrix());
        for (const bool transposed : {false, true}) {
            const auto length = static_cast<std::size_t>(transposed ? cols : rows);
            const std::vector<double> x(static_cast<std::size_t>(transposed ? rows : cols), 1.0);
            for (const double beta : {0.0, 1.0, 2.0}) {
                std::vector<double> y(length, beta == 0.0 ? kNaN<double> : 3.0);
                if (transposed) {
                    plan.run_transposed(1.0, x.data(), beta, y.data());
                } else {
                    plan.run(1.0, x.data(), beta, y.data());
                }
                CHECK(y == std::vector<double>(length, 3.0 * beta));
            }
        }
        plan.update_values(nullptr, 0);
        CHECK_THAT(plan.transposed_choice().why, Contains("no entries"));
        CHECK(plan.memory_bytes() < 4096);
        CHECK(spmv_memory_bytes<double>(Tuned(), a.matrix()) == plan.memory_bytes());
    }
}

TEST_CASE("spmv plans: the transposed has a variant of its own where it was tuned") {
    const Arrays<double> a = random_arrays<double>(60, 35, 9, Order::ascending, 1);
    Arrays<double> t;
    t.rows = a.cols;
    t.cols = a.rows;
    for (std::int64_t j = 0; j < a.cols; ++j) {
        for (std::int64_t i = 0; i < a.rows; ++i) {
            for (std::int64_t k = a.begin[static_cast<std::size_t>(i)];
                 k < a.begin[static_cast<std::size_t>(i) + 1]; ++k) {
                if (a.column[static_cast<std::size_t>(k)] != j) continue;
                t.column.push_back(static_cast<std::int32_t>(i));
                t.value.push_back(a.value[static_cast<std::size_t>(k)]);
            }
        }
        t.begin.push_back(t.given());
    }
    const std::vector<TunedConfig> configs = configs_of_all_formats<double>(t.matrix(), 1);
    SpmvPlan<double> plan = spmv_plan<double>(tuned_by(configs), a.matrix(), {.threads = 1});
    CHECK(plan.choice().from == PlanChoice::From::fallback);
    CHECK_THROWS_WITH(plan.transposed_choice(), Contains("call run_transposed() first"));
    const std::vector<double> x(60, 1.0);
    std::vector<double> y(35);
    plan.run_transposed(1.0, x.data(), 0.0, y.data());
    CHECK(y == a.expected(true, 1.0, x, 0.0, y));
    CHECK(plan.transposed_choice().from == PlanChoice::From::tuned);
}

TEST_CASE("spmv plans: several vectors, one behind the other, with gaps that nobody touches") {
    const Arrays<double> a = random_arrays<double>(31, 22, 8, Order::any, 1);
    constexpr std::int64_t kColumns = 3;
    for (const bool transposed : {false, true}) {
        const std::int64_t of_x = transposed ? a.rows : a.cols, of_y = transposed ? a.cols : a.rows;
        for (const std::int64_t gap : {0, 5}) {
            const std::int64_t ldx = of_x + gap, ldy = of_y + gap;
            std::vector<double> x(static_cast<std::size_t>(ldx * kColumns), kNaN<double>);
            std::vector<double> before(static_cast<std::size_t>(ldy * kColumns), 77.0), expected = before;
            for (std::int64_t j = 0; j < kColumns; ++j) {
                const auto v =
                    whole_numbers<double>(static_cast<std::size_t>(of_x), static_cast<unsigned>(j));
                const auto w = whole_numbers<double>(static_cast<std::size_t>(of_y), 9);
                std::copy(v.begin(), v.end(), x.begin() + j * ldx);
                std::copy(w.begin(), w.end(), before.begin() + j * ldy);
                const auto product = a.expected(transposed, 2.0, v, -1.0, w);
                std::copy(product.begin(), product.end(), expected.begin() + j * ldy);
            }
            with_plans_of_all_formats<double>(a.matrix(), [&](SpmvPlan<double>& plan) {
                std::vector<double> y = before;
                const auto run = [&](std::int64_t columns, std::int64_t by_x, std::int64_t by_y) {
                    if (transposed) {
                        plan.run_transposed_columns(columns, 2.0, x.data(), by_x, -1.0, y.data(), by_y);
                    } else {
                        plan.run_columns(columns, 2.0, x.data(), by_x, -1.0, y.data(), by_y);
                    }
                };
                run(0, ldx, ldy);
                CHECK(y == before);
                run(kColumns, ldx, ldy);
                CHECK(y == expected);
                CHECK_THROWS_WITH(run(-1, ldx, ldy), Contains("there cannot be -1 vectors"));
                CHECK_THROWS_WITH(run(2, of_x - 1, ldy), Contains("ldx is " + std::to_string(of_x - 1)));
                CHECK_THROWS_WITH(run(2, ldx, of_y - 1), Contains("at least " + std::to_string(of_y)));
                CHECK_THROWS_WITH(run(4, std::numeric_limits<std::int64_t>::max() / 2, ldy),
                                  Contains("no more than memory has"));
                CHECK(y == expected);
            });
        }
    }
}

TEST_CASE("spmv plans: vectors of x and y may lie between each other and must not overlap") {
    const Arrays<double> a = random_arrays<double>(10, 10, 4, Order::ascending, 2);
    SpmvPlan<double> plan = spmv_plan<double>(Tuned(), a.matrix(), {.threads = 1});
    std::vector<double> both(40, 1.0);
    plan.run_columns(2, 1.0, both.data(), 20, 0.0, both.data() + 10, 20);
    const std::vector<double> x(10, 1.0), y(10);
    const auto product = a.expected(false, 1.0, x, 0.0, y);
    CHECK(std::equal(product.begin(), product.end(), both.begin() + 10));
    CHECK(std::equal(product.begin(), product.end(), both.begin() + 30));
    CHECK_THROWS_WITH(plan.run_columns(2, 1.0, both.data(), 20, 0.0, both.data() + 11, 15),
                      Contains("x and y overlap"));
    CHECK_THROWS_WITH(plan.run_columns(2, 1.0, both.data(), 10, 0.0, both.data() + 19, 10),
                      Contains("x and y overlap"));
    CHECK_THROWS_WITH(plan.run(1.0, both.data(), 1.0, both.data()), Contains("overlap"));
    CHECK_THROWS_WITH(plan.run_transposed(1.0, both.data(), 1.0, both.data() + 9), Contains("overlap"));
    CHECK_THROWS_WITH(plan.run(1.0, nullptr, 1.0, both.data()), Contains("x is a null pointer"));
    CHECK_THROWS_WITH(plan.run(0.0, nullptr, 1.0, nullptr), Contains("y is a null pointer"));
}
