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

namespace {

// One run for `columns` vectors of a plan, in either order.
template <typename T>
void run_several(SpmvPlan<T>& plan, bool transposed, bool side_by_side, std::int64_t columns, T alpha,
                 const T* x, std::int64_t ldx, T beta, T* y, std::int64_t ldy) {
    if (side_by_side && transposed) plan.run_transposed_interleaved(columns, alpha, x, ldx, beta, y, ldy);
    if (side_by_side && !transposed) plan.run_interleaved(columns, alpha, x, ldx, beta, y, ldy);
    if (!side_by_side && transposed) plan.run_transposed_columns(columns, alpha, x, ldx, beta, y, ldy);
    if (!side_by_side && !transposed) plan.run_columns(columns, alpha, x, ldx, beta, y, ldy);
}

template <typename T>
void check_several(const Arrays<T>& a, std::int64_t columns, bool side_by_side, std::int64_t gap) {
    for (const bool transposed : {false, true}) {
        INFO(columns << " vectors, " << (side_by_side ? "side by side" : "in columns") << ", gap " << gap
                     << (transposed ? ", transposed" : ""));
        const std::int64_t of_x = transposed ? a.rows : a.cols, of_y = transposed ? a.cols : a.rows;
        const std::int64_t ldx = (side_by_side ? columns : of_x) + gap,
                           ldy = (side_by_side ? columns : of_y) + gap;
        const std::int64_t x_lines = side_by_side ? of_x : columns, y_lines = side_by_side ? of_y : columns;
        std::vector<T> x(static_cast<std::size_t>(ldx * x_lines), kNaN<T>);
        std::vector<T> before(static_cast<std::size_t>(ldy * y_lines), T{77}), scaled = before,
                                                                               fresh = before;
        for (std::int64_t j = 0; j < columns; ++j) {
            const auto v = whole_numbers<T>(static_cast<std::size_t>(of_x), static_cast<unsigned>(j));
            const auto w = whole_numbers<T>(static_cast<std::size_t>(of_y), 9);
            const auto at = [&](std::int64_t ld, std::int64_t i) {
                return static_cast<std::size_t>(side_by_side ? i * ld + j : j * ld + i);
            };
            for (std::int64_t i = 0; i < of_x; ++i) x[at(ldx, i)] = v[static_cast<std::size_t>(i)];
            const auto with_y = a.expected(transposed, T{2}, v, T{-1}, w),
                       alone = a.expected(transposed, T{1}, v, T{0}, w);
            for (std::int64_t i = 0; i < of_y; ++i) {
                const auto row = static_cast<std::size_t>(i);
                before[at(ldy, i)] = w[row];
                scaled[at(ldy, i)] = with_y[row];
                fresh[at(ldy, i)] = alone[row];
            }
        }
        with_plans_of_all_formats<T>(a.matrix(), [&](SpmvPlan<T>& plan) {
            INFO(plan.choice().variant);
            std::vector<T> y = before;
            const auto run = [&](std::int64_t number, std::int64_t by_x, std::int64_t by_y) {
                run_several(plan, transposed, side_by_side, number, T{2}, x.data(), by_x, T{-1}, y.data(),
                            by_y);
            };
            run(0, ldx, ldy);
            CHECK(y == before);
            run(columns, ldx, ldy);
            CHECK(y == scaled);
            CHECK_THROWS_WITH(run(-1, ldx, ldy), Contains("there cannot be -1 vectors"));
            const std::int64_t line_x = ldx - gap, line_y = ldy - gap;
            CHECK_THROWS_WITH(run(columns, line_x - 1, ldy),
                              Contains("ldx is " + std::to_string(line_x - 1)));
            CHECK_THROWS_WITH(run(columns, ldx, line_y - 1), Contains("at least " + std::to_string(line_y)));
            CHECK_THROWS_WITH(run(columns, std::numeric_limits<std::int64_t>::max() / 2, ldy),
                              Contains("no more than memory has"));
            CHECK(y == scaled);
            // With beta 0 nothing is read from y.
            for (std::size_t i = 0; i < y.size(); ++i) y[i] = before[i] == T{77} ? T{77} : kNaN<T>;
            run_several(plan, transposed, side_by_side, columns, T{1}, x.data(), ldx, T{0}, y.data(), ldy);
            CHECK(y == fresh);
            // The same by the program's threads, whoever takes which part.
            const auto backwards = [](int n, PlanPart part) {
                for (int i = n; i-- > 0;) part(i);
            };
            std::vector<T> by_program = before;
            plan.run_several_on(PlanExecution::by(backwards), transposed, side_by_side, columns, T{2},
                                x.data(), ldx, T{-1}, by_program.data(), ldy);
            CHECK(by_program == scaled);
            // With alpha 0 nothing from x, and y is scaled.
            run_several<T>(plan, transposed, side_by_side, columns, T{0}, nullptr, ldx, T{3}, y.data(), ldy);
            bool tripled = true;
            for (std::size_t i = 0; i < y.size(); ++i)
                tripled = tripled && y[i] == (before[i] == T{77} ? T{77} : 3 * fresh[i]);
            CHECK(tripled);
        });
    }
}

}  // namespace

TEST_CASE("spmv plans: several vectors in both orders, with gaps that nobody touches") {
    const auto of_f64 = random_arrays<double>(31, 22, 8, Order::any, 1);
    const auto of_f32 = random_arrays<float>(29, 34, 8, Order::ascending, 3);
    for (const bool side_by_side : {false, true}) {
        for (const std::int64_t gap : {0, 5}) {
            for (const std::int64_t columns : {1, 2, 3, 8}) check_several(of_f64, columns, side_by_side, gap);
            for (const std::int64_t columns : {2, 5, 16, 21})
                check_several(of_f32, columns, side_by_side, gap);
        }
    }
}

TEST_CASE("spmv plans: several vectors by an executor that leaves a part out, throws, or does it all") {
    const Arrays<double> a = random_arrays<double>(5000, 5000, 9, Order::ascending, 6);
    const int threads = static_cast<int>(at_most_two_cpus().size());
    SpmvPlan<double> plan = spmv_plan<double>(Tuned(), a.matrix(), {.threads = threads});
    const std::vector<double> x(3 * 5000, 1.0), one(5000, 1.0);
    std::vector<double> y(3 * 5000, 7.0);
    const auto run = [&](auto&& executor) {
        plan.run_columns(executor, 3, 1.0, x.data(), 5000, 0.0, y.data(), 5000);
    };
    const auto alone = [](int n, PlanPart part) {
        for (int i = 0; i < n; ++i) part(i);
    };
    if (threads > 1) {
        CHECK_THROWS_WITH(run([](int, PlanPart) {}), Contains("executor"));
        CHECK_THROWS_WITH(run([](int, PlanPart) { throw InputError("no threads today"); }),
                          Contains("no threads today"));
    }
    run(alone);
    const auto expected = a.expected(false, 1.0, one, 0.0, y);
    for (std::size_t j = 0; j < 3; ++j)
        CHECK(
            std::equal(expected.begin(), expected.end(), y.begin() + static_cast<std::ptrdiff_t>(j * 5000)));
    plan.run_transposed_interleaved(alone, 3, 1.0, x.data(), 3, 0.0, y.data(), 3);
    const auto across = a.expected(true, 1.0, one, 0.0, y);
    for (std::size_t i = 0; i < 5000; ++i) CHECK((y[3 * i] == across[i] && y[3 * i + 2] == across[i]));
}

TEST_CASE("spmv plans: what several vectors take of memory is counted, and new values reach them") {
    const Arrays<double> a = random_arrays<double>(2000, 3000, 8, Order::ascending, 1);
    SpmvPlan<double> plan = spmv_plan<double>(Tuned(), a.matrix(), {.threads = 1});
    const std::size_t alone = plan.memory_bytes();
    CHECK(alone == spmv_memory_bytes<double>(Tuned(), a.matrix(), {.threads = 1}));
    const std::vector<double> x(3000 * 4, 1.0);
    std::vector<double> y(2000 * 4), once(2000);
    plan.run_columns(4, 1.0, x.data(), 3000, 0.0, y.data(), 2000);
    CHECK(plan.memory_bytes() >= alone + 3000 * 4 * sizeof(double));
    const std::size_t then = plan.memory_bytes();
    plan.run_columns(4, 1.0, x.data(), 3000, 0.0, y.data(), 2000);
    CHECK(plan.memory_bytes() == then);
    std::vector<double> value = a.value;
    for (double& v : value) v *= 3.0;
    plan.update_values(value.data(), a.given());
    plan.run_columns(4, 1.0, x.data(), 3000, 0.0, y.data(), 2000);
    plan.run(x.data(), once.data());
    for (std::size_t j = 0; j < 4; ++j)
        CHECK(std::equal(once.begin(), once.end(), y.begin() + static_cast<std::ptrdiff_t>(j * 2000)));
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
    // Side by side: x in the first half of rows of four, y in the second.
    std::vector<double> mixed(40, 1.0);
    plan.run_interleaved(2, 1.0, mixed.data(), 4, 0.0, mixed.data() + 2, 4);
    for (std::size_t i = 0; i < 10; ++i)
        CHECK((mixed[4 * i + 2] == product[i] && mixed[4 * i + 3] == product[i]));
    CHECK_THROWS_WITH(plan.run_interleaved(2, 1.0, mixed.data(), 4, 0.0, mixed.data() + 1, 4),
                      Contains("x and y overlap"));
    CHECK_THROWS_WITH(plan.run(1.0, both.data(), 1.0, both.data()), Contains("overlap"));
    CHECK_THROWS_WITH(plan.run_transposed(1.0, both.data(), 1.0, both.data() + 9), Contains("overlap"));
    CHECK_THROWS_WITH(plan.run(1.0, nullptr, 1.0, both.data()), Contains("x is a null pointer"));
    CHECK_THROWS_WITH(plan.run(0.0, nullptr, 1.0, nullptr), Contains("y is a null pointer"));
}
