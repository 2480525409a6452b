// What a program may do wrong with a plan is an error at that call.
#include "tuner/plans/wrong_use.h"

#include <array>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernels/runtime/cpu.h"
#include "tests/support/catch.h"
#include "tuner/base/ranges_text.h"
#include "tuner/plans/rooftune.h"
#include "tuner/plans/rooftune_c.h"

using namespace rooftune;
using Catch::Contains;

namespace {

const std::int32_t kBegin[] = {0, 2, 3};
const std::int32_t kColumn[] = {0, 1, 1};
const double kValue[] = {1.0, 2.0, 3.0};

SpmvPlan<double> small_plan() {
    PlanOptions options;
    options.threads = 1;
    return spmv_plan<double>({}, SparseMatrix(2, 2, kBegin, kColumn, kValue), options);
}

}  // namespace

TEST_CASE("wrong use: arrays that overlap, or are none") {
    SpmvPlan<double> plan = small_plan();
    std::array<double, 4> data{1.0, 1.0, 0.0, 0.0};
    plan.run(data.data(), data.data() + 2);
    CHECK(data[2] == 3.0);
    CHECK_THROWS_WITH(plan.run(data.data(), data.data()), Contains("x and y overlap"));
    CHECK_THROWS_WITH(plan.run(data.data(), data.data() + 1), Contains("overlap"));
    CHECK_THROWS_WITH(plan.run(nullptr, data.data()), Contains("x is a null pointer"));
    CHECK_THROWS_WITH(plan.run(data.data(), nullptr), Contains("y is a null pointer"));
    PlanOptions options;
    options.threads = 1;
    MatmulPlan<float> product = matmul_plan<float>({}, {2, 2, 2}, options);
    std::array<float, 12> matrices{};
    product.run(matrices.data(), matrices.data() + 4, matrices.data() + 8);
    product.run(matrices.data(), matrices.data(), matrices.data() + 8);  // A may be B
    CHECK_THROWS_WITH(product.run(matrices.data(), matrices.data() + 4, matrices.data() + 3),
                      Contains("A and C overlap"));
    CHECK_THROWS_WITH(product.run(matrices.data(), matrices.data() + 4, matrices.data() + 7),
                      Contains("B and C overlap"));
    CHECK_THROWS_WITH(product.run(matrices.data(), nullptr, matrices.data() + 8),
                      Contains("B is a null pointer"));
}

TEST_CASE("wrong use: a plan that was moved away") {
    SpmvPlan<double> plan = small_plan();
    SpmvPlan<double> other = std::move(plan);
    const std::array<double, 2> x{};
    std::array<double, 2> y{};
    // NOLINTBEGIN(bugprone-use-after-move): that is what is tried
    CHECK_THROWS_WITH(plan.run(x.data(), y.data()), Contains("moved"));
    CHECK_THROWS_WITH(plan.rows(), Contains("moved"));
    CHECK_THROWS_WITH(plan.choice(), Contains("moved"));
    // NOLINTEND(bugprone-use-after-move)
    other.run(x.data(), y.data());
    StencilPlan<float> grid = stencil_plan<float>({}, {4, 4, 4});
    StencilPlan<float> moved = std::move(grid);
    CHECK_THROWS_WITH(grid.run(), Contains("moved"));  // NOLINT(bugprone-use-after-move)
    moved.run();
}

TEST_CASE("wrong use: workers on a processing unit twice, on none, and of another number than threads") {
    const int first = usable_cpus().front();
    CHECK_THROWS_WITH(Workers(std::vector<int>{first, first}), Contains("named twice"));
    CHECK_THROWS_WITH(Workers(std::vector<int>{}), Contains("no processing unit"));
    for (const int other : {-1, 1023})
        CHECK_THROWS_WITH(Workers(std::vector<int>{first, other}),
                          Contains("processing unit " + std::to_string(other)) &&
                              Contains("it may use " + ranges_text(usable_cpus())));
    PlanOptions options;
    options.workers = std::make_shared<Workers>(1);
    options.threads = 2;
    CHECK_THROWS_WITH(matmul_plan<double>({}, {2, 2, 2}, options),
                      Contains("2 threads") && Contains("workers of 1"));
    options.threads = 1;
    CHECK(matmul_plan<double>({}, {2, 2, 2}, options).choice().threads == 1);
}

TEST_CASE("wrong use: another base, and null pointers for a matrix's arrays") {
    const auto matrix = [](const std::int32_t* begin, const std::int32_t* column, const double* value,
                           int base) { return SparseMatrix(2, 2, begin, column, value, base); };
    CHECK_THROWS_WITH(matrix(kBegin, kColumn, kValue, 7), Contains("base is 7"));
    CHECK_THROWS_WITH(matrix(nullptr, kColumn, kValue, 0), Contains("row_begin is a null pointer"));
    CHECK_THROWS_WITH(matrix(kBegin, nullptr, kValue, 0), Contains("column is a null pointer"));
    CHECK_THROWS_WITH(matrix(kBegin, kColumn, nullptr, 0), Contains("value is a null pointer"));
}

TEST_CASE("wrong use through C: null pointers, and a callback that throws") {
    CHECK(rooftune_spmv_plan_f64(nullptr, 2, 2, nullptr, kColumn, kValue, 0, 1) == nullptr);
    CHECK_THAT(rooftune_error(), Contains("row_begin is a null pointer"));
    CHECK(rooftune_stencil_plan_f64(nullptr, 2, 2, 2, 7, 1, 0, nullptr, 1) == nullptr);
    CHECK_THAT(rooftune_error(), Contains("coefficients is a null pointer"));
    const double coefficients[4] = {0.5, 0.25, 0.0, 0.0};
    rooftune_plan* grid = rooftune_stencil_plan_f64(nullptr, 2, 2, 2, 7, 1, 0, coefficients, 1);
    REQUIRE(grid != nullptr);
    CHECK(rooftune_stencil_fill(grid, nullptr, nullptr) == ROOFTUNE_BAD_INPUT);
    CHECK_THAT(rooftune_error(), Contains("null pointer"));
    const auto throws = [](void*, std::int64_t, std::int64_t, std::int64_t) -> double { throw 42; };
    CHECK(rooftune_stencil_fill(grid, throws, nullptr) == ROOFTUNE_BAD_ENVIRONMENT);
    CHECK_THAT(rooftune_error(), Contains("thrown"));
    // A text that is too long is cut between two characters: the euro sign has three bytes.
    const auto at_length = [](void*, std::int64_t, std::int64_t, std::int64_t) -> double {
        std::string text = "a";
        for (int i = 0; i < 1000; ++i) text += "€";
        throw std::runtime_error(text);
    };
    CHECK(rooftune_stencil_fill(grid, at_length, nullptr) == ROOFTUNE_BAD_ENVIRONMENT);
    std::string expected = "a";
    for (int i = 0; i < 339; ++i) expected += "€";
    CHECK(rooftune_error() == expected + "…");
    rooftune_free_plan(grid);
    rooftune_plan* product = rooftune_matmul_plan_f64(nullptr, 2, 2, 2, 1.0, 0.0, 0, 0, 1);
    REQUIRE(product != nullptr);
    double c[4] = {};
    CHECK(rooftune_matmul_f64(product, nullptr, c, c) == ROOFTUNE_BAD_INPUT);
    rooftune_free_plan(product);
}
