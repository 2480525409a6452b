// Matrices that show a program's arrays instead of copying them, and plans that outlive these.
#include <algorithm>
#include <limits>
#include <memory>

#include "kernels/runtime/error.h"
#include "tests/unit/plans/spmv_plans.h"
#include "tuner/plans/all_finite.h"
#include "tuner/plans/rooftune_c.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

template <typename T>
SparseMatrix view_of(const Arrays<T>& a) {
    return SparseMatrix::view(a.rows, a.cols, a.begin.data(), a.column.data(), a.value.data());
}

bool shows(const SparseMatrix& matrix, const Arrays<double>& a) {
    const spmv::CsrView& csr = matrix.inside().csr;
    return csr.value.data() == a.value.data() &&
           static_cast<const void*>(csr.column.data()) == static_cast<const void*>(a.column.data());
}

void check_same(const SparseMatrix& one, const SparseMatrix& other) {
    const spmv::CsrView &a = one.inside().csr, &b = other.inside().csr;
    CHECK(a.rows == b.rows);
    CHECK(a.cols == b.cols);
    CHECK(std::ranges::equal(a.row_begin, b.row_begin));
    CHECK(std::ranges::equal(a.column, b.column));
    CHECK(std::ranges::equal(a.value, b.value));
    CHECK(one.given() == other.given());
}

template <typename T>
void check_plans_outlive(Arrays<T> arrays) {
    const Arrays<T> kept = arrays;
    Arrays<T> second = kept;
    second.value = whole_numbers<T>(kept.value.size(), 91);
    const auto x = whole_numbers<T>(static_cast<std::size_t>(kept.cols), 5);
    const auto of_rows = whole_numbers<T>(static_cast<std::size_t>(kept.rows), 6);
    const std::vector<T> none;
    with_plans_of_all_formats<T>(view_of(arrays), [&](SpmvPlan<T>& plan) {
        INFO(plan.choice().variant);
        // As if they were gone, and something else were there.
        std::fill(arrays.value.begin(), arrays.value.end(), std::numeric_limits<T>::quiet_NaN());
        std::fill(arrays.column.begin(), arrays.column.end(), -1);
        std::fill(arrays.begin.begin(), arrays.begin.end(), 7);
        std::vector<T> y(of_rows.size()), transposed(x.size());
        plan.run(x.data(), y.data());
        CHECK(y == kept.expected(false, T{1}, x, T{0}, none));
        plan.update_values(second.value.data(), second.given());
        plan.run(x.data(), y.data());
        CHECK(y == second.expected(false, T{1}, x, T{0}, none));
        plan.run_transposed(T{1}, of_rows.data(), T{0}, transposed.data());
        CHECK(transposed == second.expected(true, T{1}, of_rows, T{0}, none));
        arrays = kept;
    });
}

}  // namespace

TEST_CASE("sparse matrix views: what can be used as it is stays where it is") {
    const Arrays<double> a = random_arrays<double>(60, 50, 9, Order::ascending, 1);
    const SparseMatrix view = view_of(a);
    CHECK(shows(view, a));
    CHECK_FALSE(view.inside().places);
    check_same(view, a.matrix());
    const std::vector<std::uint32_t> unsigned_columns(a.column.begin(), a.column.end());
    const SparseMatrix other =
        SparseMatrix::view(a.rows, a.cols, a.begin.data(), unsigned_columns.data(), a.value.data());
    CHECK(other.inside().csr.column.data() == unsigned_columns.data());
    check_same(other, view);
}

TEST_CASE("sparse matrix views: all else is copied") {
    const Arrays<double> a = random_arrays<double>(60, 50, 9, Order::ascending, 1);
    const std::vector<std::int64_t> long_columns(a.column.begin(), a.column.end());
    check_same(SparseMatrix::view(a.rows, a.cols, a.begin.data(), long_columns.data(), a.value.data()),
               a.matrix());
    const std::vector<float> floats(a.value.begin(), a.value.end());
    check_same(SparseMatrix::view(a.rows, a.cols, a.begin.data(), a.column.data(), floats.data()),
               a.matrix());
    Arrays<double> from_1 = a;
    for (std::int64_t& row : from_1.begin) ++row;
    for (std::int32_t& column : from_1.column) ++column;
    const SparseMatrix fortran =
        SparseMatrix::view(a.rows, a.cols, from_1.begin.data(), from_1.column.data(), from_1.value.data(), 1);
    CHECK_FALSE(shows(fortran, from_1));
    check_same(fortran, a.matrix());
    const Arrays<double> mixed = random_arrays<double>(60, 50, 9, Order::any, 1);
    CHECK_FALSE(shows(view_of(mixed), mixed));
    CHECK(view_of(mixed).inside().places);
    check_same(view_of(mixed), mixed.matrix());
    const std::int32_t none[] = {0, 0, 0};
    CHECK(SparseMatrix::view(2, 3, none, none, static_cast<const double*>(nullptr)).stored() == 0);
}

TEST_CASE("sparse matrix views: what is wrong is named as of copies") {
    const std::int32_t begin[] = {0, 1, 3};
    const double value[] = {1.0, 2.0, 3.0};
    const auto refusal = [&](const std::int32_t* column, const double* values) {
        return SparseMatrix::view(2, 3, begin, column, values);
    };
    const std::int32_t fine[] = {0, 1, 2}, negative[] = {0, -1, 2}, outside[] = {0, 1, 3},
                       outside_alone[] = {3, 1, 2};
    CHECK(refusal(fine, value).stored() == 3);
    CHECK_THROWS_WITH(refusal(negative, value), Contains("entry 1, in row 1, is in column -1 of 3"));
    CHECK_THROWS_WITH(refusal(outside, value), Contains("entry 2, in row 1, is in column 3 of 3"));
    CHECK_THROWS_WITH(refusal(outside_alone, value), Contains("entry 0, in row 0, is in column 3 of 3"));
    CHECK_THROWS_WITH(refusal(nullptr, value), Contains("column is a null pointer"));
    CHECK_THROWS_WITH(refusal(fine, nullptr), Contains("value is a null pointer"));
    const double infinite[] = {1.0, 2.0, -std::numeric_limits<double>::infinity()};
    CHECK_THROWS_WITH(refusal(fine, infinite), Contains("entry 2, in row 1, is not finite"));
}

TEST_CASE("sparse matrix views: no column is read where row_begin is wrong") {
    // Begins at 0 and ascends, as 32-bit numbers do that are taken for 64-bit ones. So large that a copy is
    // refused before memory is asked for, which sanitizers would end the test for.
    const std::int64_t begin[] = {0, 5 | std::int64_t{9} << 59, 5 | std::int64_t{10} << 59};
    const std::int32_t column[] = {0, 1};
    const double value[] = {1.0, 2.0};
    CHECK_THROWS(SparseMatrix::view(2, 3, begin, column, value));
}

TEST_CASE("sparse matrix views: no rows, and no columns") {
    const std::int32_t begin[] = {0, 0}, one[] = {0, 1}, column[] = {0};
    const double value[] = {1.0};
    CHECK(SparseMatrix::view(0, 5, begin, column, value).stored() == 0);
    CHECK(SparseMatrix::view(1, 0, begin, column, value).stored() == 0);
    CHECK_THROWS_WITH(SparseMatrix::view(1, 0, one, column, value), Contains("is in column 0 of 0"));
}

TEST_CASE("spmv plans: in single precision of a view of doubles") {
    const std::int32_t begin[] = {0, 2}, column[] = {0, 1};
    const double fine[] = {1.0, 2.0}, large[] = {1.0, 1e300};
    SpmvPlan<float> plan =
        spmv_plan<float>(Tuned(), SparseMatrix::view(1, 2, begin, column, fine), {.threads = 1});
    const float x[] = {10.0F, 100.0F};
    float y = 0.0F;
    plan.run(x, &y);
    CHECK(y == 210.0F);
    CHECK_THROWS_WITH(spmv_plan<float>(Tuned(), SparseMatrix::view(1, 2, begin, column, large)),
                      Contains("too large for f32"));
}

TEST_CASE("spmv plans: new values that are checked on several threads are refused wherever they are") {
    const Arrays<double> a = random_arrays<double>(6'000, 6'000, 9, Order::ascending, 1);
    REQUIRE(a.given() > 20'000);
    const auto x = whole_numbers<double>(6'000, 5);
    with_plans_of_all_formats<double>(view_of(a), [&](SpmvPlan<double>& plan) {
        for (const std::int64_t at : {std::int64_t{0}, a.given() / 2, a.given() - 1}) {
            std::vector<double> bad = a.value;
            bad[static_cast<std::size_t>(at)] = std::numeric_limits<double>::quiet_NaN();
            CHECK_THROWS_WITH(plan.update_values(bad.data(), a.given()),
                              Contains("the value of entry " + std::to_string(at) + " is not finite"));
        }
        std::vector<double> y(6'000);
        plan.run(x.data(), y.data());
        CHECK(y == a.expected(false, 1.0, x, 0.0, {}));
    });
}

TEST_CASE("C: a plan outlives the arrays that it was made of") {
    const Arrays<double> kept = random_arrays<double>(300, 200, 12, Order::ascending, 1);
    auto arrays = std::make_unique<Arrays<double>>(kept);
    rooftune_plan* const plan = rooftune_spmv_plan_f64(nullptr, 300, 200, arrays->begin.data(),
                                                       arrays->column.data(), arrays->value.data(), 0, 0);
    REQUIRE(plan != nullptr);
    arrays.reset();
    const auto x = whole_numbers<double>(200, 5), of_rows = whole_numbers<double>(300, 6);
    std::vector<double> y(300), t(200);
    CHECK(rooftune_spmv_f64(plan, x.data(), y.data()) == ROOFTUNE_OK);
    CHECK(y == kept.expected(false, 1.0, x, 0.0, {}));
    CHECK(rooftune_spmv_transposed_f64(plan, 1.0, of_rows.data(), 0.0, t.data()) == ROOFTUNE_OK);
    CHECK(t == kept.expected(true, 1.0, of_rows, 0.0, {}));
    rooftune_free_plan(plan);
}

TEST_CASE("spmv plans: of a view, they outlive its arrays in every format") {
    check_plans_outlive(random_arrays<double>(53, 41, 9, Order::ascending, 1));
    check_plans_outlive(random_arrays<double>(53, 41, 9, Order::any, 2));
    check_plans_outlive(random_arrays<float>(41, 53, 12, Order::ascending, 3));
    // Enough to be shared out over threads while the plan is made.
    check_plans_outlive(random_arrays<double>(9'000, 9'000, 20, Order::ascending, 4));
}

TEST_CASE("spmv plans: what one of a view holds is said before it is made") {
    const Arrays<double> a = random_arrays<double>(700, 300, 20, Order::ascending, 1);
    const SparseMatrix view = view_of(a);
    for (const TunedConfig& config : configs_of_all_formats<double>(view, 1)) {
        const Tuned tuned = tuned_by({config});
        const SpmvPlan<double> plan = spmv_plan<double>(tuned, view, {.threads = 1});
        INFO(plan.choice().variant);
        CHECK(spmv_memory_bytes<double>(tuned, view, {.threads = 1}) == plan.memory_bytes());
    }
}

TEMPLATE_TEST_CASE("arrays that are finite, and those with one element that is not", "", float, double) {
    using Limits = std::numeric_limits<TestType>;
    std::vector<TestType> values{
        0, -TestType{0}, 1, Limits::max(), Limits::lowest(), Limits::denorm_min(), Limits::min()};
    values.resize(37, TestType{-2});
    const auto length = static_cast<std::int64_t>(values.size());
    CHECK(all_finite(values.data(), 0));
    CHECK(all_finite(values.data(), length));
    for (const TestType wrong : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                                 Limits::signaling_NaN(), -Limits::quiet_NaN()}) {
        for (std::size_t at = 0; at < values.size(); ++at) {
            std::vector<TestType> bad = values;
            bad[at] = wrong;
            CHECK_FALSE(all_finite(bad.data(), length));
        }
    }
}
