// The C functions of products and grids beyond the plain runs: the same answers, and errors as statuses.
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tuner/plans/rooftune_c.h"

using Catch::Contains;

TEST_CASE("C: a product by columns with leading dimensions, factors of the run and a batch") {
    // A is 2 x 3 in columns of 3, B 3 x 2 transposed in columns of 2, C 2 x 2 in columns of 4.
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    rooftune_plan* plan = rooftune_matmul_plan_ld_f64(nullptr, 1, 2, 2, 3, 1.0, 0.0, 0, 1, 3, 0, 4, 1);
    REQUIRE(plan != nullptr);
    const double a[] = {1, 2, kNan, 3, 4, kNan, 5, 6, kNan}, b[] = {1, 0, 0, 1, 2, 2};
    double c[] = {kNan, kNan, -1, -1, kNan, kNan, -1, -1};
    CHECK(rooftune_matmul_f64(plan, a, b, c) == ROOFTUNE_OK);
    CHECK(std::vector<double>(c, c + 8) == std::vector<double>{11, 14, -1, -1, 13, 16, -1, -1});
    CHECK(rooftune_matmul_scaled_f64(plan, -1.0, a, b, 2.0, c) == ROOFTUNE_OK);
    CHECK(std::vector<double>(c, c + 8) == std::vector<double>{11, 14, -1, -1, 13, 16, -1, -1});
    CHECK(rooftune_matmul_scaled_f64(plan, 0.0, nullptr, nullptr, 0.0, c) == ROOFTUNE_OK);
    CHECK(c[5] == 0.0);
    CHECK(rooftune_matmul_scaled_f64(plan, kNan, a, b, 0.0, c) == ROOFTUNE_BAD_INPUT);
    CHECK_THAT(rooftune_error(), Contains("alpha is nan"));

    double two[] = {0, 0, 0, 0, 0, 0, 0, 0};
    // The second C lies in the gaps of the first.
    CHECK(rooftune_matmul_strided_f64(plan, 2, 1.0, a, 0, b, 0, 0.0, two, 2) == ROOFTUNE_OK);
    CHECK(std::vector<double>(two, two + 8) == std::vector<double>{11, 14, 11, 14, 13, 16, 13, 16});
    CHECK(rooftune_matmul_strided_f64(plan, 2, 1.0, a, 0, b, 0, 0.0, two, 1) == ROOFTUNE_BAD_INPUT);
    CHECK_THAT(rooftune_error(), Contains("overlap"));
    const double *as[] = {a, a}, *bs[] = {b, b};
    double* cs[] = {c, two};
    CHECK(rooftune_matmul_pointers_f64(plan, 2, 1.0, as, bs, 1.0, cs) == ROOFTUNE_OK);
    CHECK(c[0] == 11.0);
    CHECK(two[0] == 22.0);
    CHECK(rooftune_matmul_pointers_f64(plan, 2, 1.0, as, nullptr, 1.0, cs) == ROOFTUNE_BAD_INPUT);
    CHECK_THAT(rooftune_error(), Contains("list of B"));
    float single = 0.0F;
    CHECK(rooftune_matmul_scaled_f32(plan, 1.0F, &single, &single, 0.0F, &single) == ROOFTUNE_BAD_INPUT);
    CHECK_THAT(rooftune_error(), Contains("no f32 matmul plan"));
    rooftune_free_plan(plan);
    CHECK(rooftune_matmul_plan_ld_f64(nullptr, 0, 2, 2, 3, 1.0, 0.0, 0, 0, 2, 0, 0, 1) == nullptr);
    CHECK_THAT(rooftune_error(), Contains("lda is 2"));
}

TEST_CASE("C: the same of floats, and sizes of 0") {
    rooftune_plan* plan = rooftune_matmul_plan_ld_f32(nullptr, 0, 1, 2, 2, 1.0, 1.0, 0, 0, 0, 3, 0, 1);
    REQUIRE(plan != nullptr);
    const float a[] = {1, 2, 3, 4}, b[] = {1, 2, -9, 3, 4};
    float c[] = {1, 1, 1, 1};
    CHECK(rooftune_matmul_f32(plan, a, b, c) == ROOFTUNE_OK);
    CHECK(std::vector<float>(c, c + 4) == std::vector<float>{8, 11, 1, 1});
    CHECK(rooftune_matmul_strided_f32(plan, 2, 2.0F, a, 2, b, 0, 0.0F, c, 2) == ROOFTUNE_OK);
    CHECK(std::vector<float>(c, c + 4) == std::vector<float>{14, 20, 30, 44});
    const float *as[] = {a}, *bs[] = {b};
    float* cs[] = {c};
    CHECK(rooftune_matmul_pointers_f32(plan, 1, -1.0F, as, bs, 1.0F, cs) == ROOFTUNE_OK);
    CHECK(c[0] == 7.0F);
    CHECK(rooftune_matmul_scaled_f32(plan, 1.0F, a, b, 0.0F, c) == ROOFTUNE_OK);
    CHECK(c[1] == 10.0F);
    rooftune_free_plan(plan);
    plan = rooftune_matmul_plan_f32(nullptr, 1, 2, 0, 1.0, 0.0, 0, 0, 1);
    REQUIRE(plan != nullptr);
    CHECK_THAT(rooftune_why(plan), Contains("k is 0"));
    CHECK(rooftune_matmul_f32(plan, nullptr, nullptr, c) == ROOFTUNE_OK);
    CHECK(c[1] == 0.0F);
    rooftune_free_plan(plan);
}

TEST_CASE("C: steps and coefficients of one run of a stencil") {
    const double coefficients[4] = {0.5, 0.25, 0.0, 0.0}, others[4] = {2.0, 0.0, 0.0, 0.0};
    const double wrong[4] = {2.0, 0.0, 1.0, 0.0};
    const auto ones = [](void*, std::int64_t, std::int64_t, std::int64_t) { return 1.0; };
    rooftune_plan* doubles = rooftune_stencil_plan_f64(nullptr, 3, 2, 2, 7, 0, 1, coefficients, 1);
    REQUIRE(doubles != nullptr);
    CHECK(rooftune_stencil_fill(doubles, ones, nullptr) == ROOFTUNE_OK);
    CHECK(rooftune_stencil_run(doubles) == ROOFTUNE_OK);
    CHECK(rooftune_stencil_row_f64(doubles, 1, 1)[2] == 1.0);
    CHECK(rooftune_stencil_advance(doubles, 2, nullptr) == ROOFTUNE_OK);
    CHECK(rooftune_stencil_row_f64(doubles, 1, 1)[2] == 4.0);
    CHECK(rooftune_stencil_advance(doubles, 3, others) == ROOFTUNE_OK);
    CHECK(rooftune_stencil_row_f64(doubles, 0, 1)[0] == 32.0);
    CHECK(rooftune_stencil_advance(doubles, 0, others) == ROOFTUNE_OK);
    CHECK(rooftune_stencil_advance(doubles, -1, others) == ROOFTUNE_BAD_INPUT);
    CHECK_THAT(rooftune_error(), Contains("-1 steps"));
    CHECK(rooftune_stencil_advance(doubles, 1, wrong) == ROOFTUNE_BAD_INPUT);
    rooftune_free_plan(doubles);
    rooftune_plan* floats = rooftune_stencil_plan_f32(nullptr, 3, 2, 2, 7, 1, 1, coefficients, 1);
    REQUIRE(floats != nullptr);
    CHECK(rooftune_stencil_fill(floats, ones, nullptr) == ROOFTUNE_OK);
    CHECK(rooftune_stencil_advance(floats, 1, others) == ROOFTUNE_OK);
    CHECK(rooftune_stencil_row_f32(floats, 0, 0)[1] == 2.0F);
    rooftune_free_plan(floats);
    CHECK(rooftune_stencil_advance(nullptr, 1, nullptr) == ROOFTUNE_BAD_INPUT);
}

TEST_CASE("C: what a plan holds, before and after it is made") {
    CHECK(rooftune_memory_bytes(nullptr) == 0);
    rooftune_plan* product = rooftune_matmul_plan_ld_f64(nullptr, 1, 8, 9, 10, 1.0, 0.0, 0, 0, 20, 0, 0, 1);
    REQUIRE(product != nullptr);
    CHECK(rooftune_memory_bytes(product) > 0);
    CHECK(rooftune_memory_bytes(product) ==
          rooftune_matmul_memory_bytes_f64(nullptr, 1, 8, 9, 10, 1.0, 0.0, 0, 0, 1));
    rooftune_free_plan(product);
    CHECK(rooftune_matmul_memory_bytes_f32(nullptr, 0, 8, 9, 10, 1.0, 0.0, 0, 0, 1) > 0);
    CHECK(rooftune_matmul_memory_bytes_f32(nullptr, 0, 8, 9, 0, 1.0, 0.0, 0, 0, 1) == 0);
    CHECK(std::string(rooftune_error()).empty());
    CHECK(rooftune_matmul_memory_bytes_f64(nullptr, 0, -8, 9, 10, 1.0, 0.0, 0, 0, 1) == 0);
    CHECK_THAT(rooftune_error(), Contains("m is -8"));
    const double coefficients[4] = {0.5, 0.25, 0.0, 0.0};
    rooftune_plan* grid = rooftune_stencil_plan_f32(nullptr, 30, 20, 10, 7, 1, 0, coefficients, 1);
    REQUIRE(grid != nullptr);
    CHECK(rooftune_memory_bytes(grid) == rooftune_stencil_memory_bytes_f32(nullptr, 30, 20, 10, 7, 1, 0, 1));
    rooftune_free_plan(grid);
    CHECK(rooftune_stencil_memory_bytes_f64(nullptr, 30, 20, 10, 7, 1, 0, 1) >
          rooftune_stencil_memory_bytes_f32(nullptr, 30, 20, 10, 7, 1, 0, 1));
    CHECK(rooftune_stencil_memory_bytes_f64(nullptr, 0, 20, 10, 7, 1, 0, 1) == 0);
    CHECK(std::strlen(rooftune_error()) > 0);
}
