// New values for the pattern of a plan, what a plan holds, and configs of matrices that differ in values
// alone.
#include <limits>

#include "kernels/runtime/error.h"
#include "tests/unit/plans/spmv_plans.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

template <typename T>
std::vector<T> multiplied(SpmvPlan<T>& plan, bool transposed, const std::vector<T>& x) {
    std::vector<T> y(static_cast<std::size_t>(transposed ? plan.cols() : plan.rows()));
    if (transposed) {
        plan.run_transposed(T{1}, x.data(), T{0}, y.data());
    } else {
        plan.run(x.data(), y.data());
    }
    return y;
}

template <typename T>
void check_new_values(const Arrays<T>& first) {
    Arrays<T> second = first, third = first;
    second.value = whole_numbers<T>(first.value.size(), 77);
    third.value = whole_numbers<T>(first.value.size(), 78);
    const auto x = whole_numbers<T>(static_cast<std::size_t>(first.cols), 5);
    const auto x_of_transposed = whole_numbers<T>(static_cast<std::size_t>(first.rows), 6);
    const std::vector<T> none;
    with_plans_of_all_formats<T>(first.matrix(), [&](SpmvPlan<T>& plan) {
        INFO(plan.choice().variant);
        const auto check = [&](const Arrays<T>& a, bool transposed) {
            const std::vector<T>& v = transposed ? x_of_transposed : x;
            CHECK(multiplied(plan, transposed, v) == a.expected(transposed, T{1}, v, T{0}, none));
        };
        check(first, false);
        plan.update_values(second.value.data(), second.given());
        check(second, false);
        // The transposed follows, whether it was there before or not.
        check(second, true);
        plan.update_values(third.value.data(), third.given());
        check(third, true);
        check(third, false);
        std::vector<T> bad = first.value;
        for (const T wrong : {std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN()}) {
            bad.back() = wrong;
            CHECK_THROWS_WITH(plan.update_values(bad.data(), first.given()),
                              Contains("the value of entry " + std::to_string(first.given() - 1)));
        }
        CHECK_THROWS_WITH(plan.update_values(bad.data(), first.given() - 1),
                          Contains("made of " + std::to_string(first.given()) + " entries"));
        CHECK_THROWS_WITH(plan.update_values(nullptr, first.given()), Contains("value is a null pointer"));
        check(third, false);
        check(third, true);
    });
}

}  // namespace

TEST_CASE("spmv plans: new values in the order of the program's arrays, in every format") {
    check_new_values(random_arrays<double>(53, 41, 9, Order::ascending, 1));
    check_new_values(random_arrays<double>(53, 41, 9, Order::any, 2));
    check_new_values(random_arrays<float>(41, 53, 12, Order::any, 3));
    check_new_values(random_arrays<float>(40, 150'000, 60, Order::ascending, 4));
}

TEST_CASE("spmv plans: new values whose sum is out of range are refused") {
    const std::int32_t begin[] = {0, 3}, column[] = {1, 0, 1};
    const float value[] = {1.0F, 2.0F, 3.0F};
    SpmvPlan<float> plan =
        spmv_plan<float>(Tuned(), SparseMatrix(1, 2, begin, column, value), {.threads = 1});
    const float huge[] = {3e38F, 1.0F, 3e38F};
    CHECK_THROWS_WITH(plan.update_values(huge, 3), Contains("too large for f32"));
    CHECK(multiplied(plan, false, {1.0F, 1.0F}) == std::vector<float>{6.0F});
    const float fine[] = {3e38F, 1.0F, -3e38F};
    plan.update_values(fine, 3);
    CHECK(multiplied(plan, false, {1.0F, 1.0F}) == std::vector<float>{1.0F});
    const double most = std::numeric_limits<double>::max();
    const double twice[] = {most, 1.0, most};
    CHECK_THROWS_WITH(spmv_plan<double>(Tuned(), SparseMatrix(1, 2, begin, column, twice)),
                      Contains("is not finite"));
}

TEST_CASE("spmv plans: of a file, new values come by rows and columns") {
    const TemporaryFolder folder;
    const SparseMatrix a = SparseMatrix::read(
        folder.write("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4\n2 1 -1\n"));
    REQUIRE(a.given() == 3);
    SpmvPlan<double> plan = spmv_plan<double>(Tuned(), a, {.threads = 1});
    const double value[] = {1.0, 2.0, 3.0};
    plan.update_values(value, 3);
    CHECK(multiplied(plan, false, {10.0, 100.0}) == std::vector<double>{210.0, 30.0});
}

TEST_CASE("spmv plans: what a plan holds is said before it is made") {
    for (const Order order : {Order::ascending, Order::any}) {
        const Arrays<double> a = random_arrays<double>(700, 300, 20, order, 1);
        const SparseMatrix matrix = a.matrix();
        const int most = static_cast<int>(at_most_two_cpus().size());
        for (int threads = 1; threads <= most; ++threads) {
            for (const TunedConfig& config : configs_of_all_formats<double>(matrix, threads)) {
                const Tuned tuned = tuned_by({config});
                const PlanOptions options{.workers = Workers::shared(threads)};
                SpmvPlan<double> plan = spmv_plan<double>(tuned, matrix, options);
                INFO(plan.choice().variant);
                const std::size_t bytes = plan.memory_bytes();
                CHECK(spmv_memory_bytes<double>(tuned, matrix, options) == bytes);
                // A value and half an index an entry at the least; the pattern and the places where they are
                // kept.
                const auto stored = static_cast<std::size_t>(matrix.stored());
                const bool rows = config.result.best.at("format") == "csr";
                const std::size_t places = order == Order::any ? 8 * a.value.size() : 0;
                CHECK(bytes > 10 * stored + places + (rows ? 0 : 4 * stored + 8 * 700));
                CHECK(bytes < 60 * stored + places + 150'000);
                const std::vector<double> x(300, 1.0);
                std::vector<double> y(700, 1.0);
                plan.run(1.0, x.data(), 0.0, y.data());
                CHECK(plan.memory_bytes() == bytes);
                plan.run(1.0, x.data(), 1.0, y.data());
                CHECK(plan.memory_bytes() == bytes + 700 * sizeof(double));
                plan.update_values(a.value.data(), a.given());
                CHECK(plan.memory_bytes() == bytes + 700 * sizeof(double));
            }
        }
    }
}

TEST_CASE("spmv plans: a matrix of 3 by 3 takes at most 64 KB, in any format") {
    const Arrays<double> a{3, 3, {0, 2, 4, 5}, {0, 1, 1, 2, 0}, {1.0, 2.0, 3.0, 4.0, 5.0}};
    with_plans_of_all_formats<double>(a.matrix(), [](SpmvPlan<double>& plan) {
        INFO(plan.choice().variant);
        CHECK(plan.memory_bytes() <= 64 * 1024);
    });
}

TEST_CASE("spmv plans: a matrix of the same pattern has the winner, and why says so") {
    const Arrays<double> tuned_one = random_arrays<double>(90, 80, 9, Order::ascending, 1);
    Arrays<double> program = tuned_one;
    program.value[3] += 1.0;
    const std::vector<TunedConfig> configs = configs_of_all_formats<double>(tuned_one.matrix(), 1);
    for (const TunedConfig& config : configs) {
        const Tuned tuned = tuned_by({config});
        const auto choice = [&](const Arrays<double>& a) {
            SpmvPlan<double> plan = spmv_plan<double>(tuned, a.matrix(), {.threads = 1});
            const std::vector<double> x(80, 1.0), none;
            CHECK(multiplied(plan, false, x) == a.expected(false, 1.0, x, 0.0, none));
            return plan.choice();
        };
        const PlanChoice same = choice(tuned_one), other = choice(program);
        CHECK(same.why == "tuned for this problem on 2026-03-04");
        CHECK(other.why == "tuned for this pattern with other values on 2026-03-04");
        CHECK(other.from == PlanChoice::From::tuned);
        CHECK(other.parameters.map() == same.parameters.map());
        CHECK(other.seconds_when_tuned == same.seconds_when_tuned);
        CHECK(choice(random_arrays<double>(90, 80, 9, Order::ascending, 2)).from ==
              PlanChoice::From::fallback);
        // In f32 it is another pattern's time.
        CHECK(spmv_plan<float>(tuned, program.matrix(), {.threads = 1}).choice().from ==
              PlanChoice::From::fallback);
        TunedConfig of_before = config;
        of_before.result.pattern.clear();
        CHECK(spmv_plan<double>(tuned_by({of_before}), program.matrix(), {.threads = 1}).choice().from ==
              PlanChoice::From::fallback);
    }
    // This very problem comes first, though it was tuned before.
    TunedConfig mine = configs_of_all_formats<double>(program.matrix(), 1).front();
    mine.created = "2026-01-01T00:00:00Z";
    SpmvPlan<double> plan =
        spmv_plan<double>(tuned_by({configs.front(), mine}), program.matrix(), {.threads = 1});
    CHECK(plan.choice().why == "tuned for this problem on 2026-01-01");
    // And on more threads than there are, it is told as well.
    TunedConfig wide = configs.front();
    wide.result.threads = 64;
    const PlanChoice fewer = spmv_plan<double>(tuned_by({wide}), program.matrix(), {.threads = 1}).choice();
    CHECK_THAT(fewer.why, Contains("tuned for this pattern with other values on 64 threads"));
}
