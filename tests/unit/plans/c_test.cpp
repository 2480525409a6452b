// The C functions: the same answers, and errors as statuses with a text.
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/places.h"
#include "tests/support/several_threads.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/plans/rooftune_c.h"

using Catch::Contains;

TEST_CASE("C: a matrix times a vector") {
    const std::int64_t begin[] = {1, 3, 4};
    const std::int32_t column[] = {1, 2, 2};
    const double value[] = {1.0, 2.0, 3.0};
    rooftune_plan* plan = rooftune_spmv_plan_f64(nullptr, 2, 2, begin, column, value, 1, 1);
    REQUIRE(plan != nullptr);
    CHECK(rooftune_from(plan) == ROOFTUNE_FALLBACK);
    CHECK_THAT(rooftune_why(plan), Contains("default variant"));
    CHECK(std::strlen(rooftune_variant(plan)) > 0);
    const double x[] = {10.0, 100.0};
    double y[] = {0.0, 0.0};
    CHECK(rooftune_spmv_f64(plan, x, y) == ROOFTUNE_OK);
    CHECK(y[0] == 210.0);
    CHECK(y[1] == 300.0);
    float single = 0.0F;
    CHECK(rooftune_spmv_f32(plan, &single, &single) == ROOFTUNE_BAD_INPUT);
    CHECK_THAT(rooftune_error(), Contains("no f32 spmv plan"));
    CHECK(rooftune_spmv_f64(plan, x, y) == ROOFTUNE_OK);
    CHECK(std::string(rooftune_error()).empty());
    rooftune_free_plan(plan);
    rooftune_free_plan(nullptr);
    CHECK(rooftune_spmv_plan_f64(nullptr, 2, 2, begin, column, value, 0, 1) == nullptr);
    CHECK_THAT(rooftune_error(), Contains("check the base"));
    CHECK(rooftune_spmv_f64(nullptr, x, y) == ROOFTUNE_BAD_INPUT);
    CHECK(rooftune_from(nullptr) == ROOFTUNE_FALLBACK);
    CHECK(std::string(rooftune_variant(nullptr)).empty());
    CHECK(std::string(rooftune_why(nullptr)).empty());
}

namespace {

// What a sparse plan does beside the plain product, in one of the two types.
template <typename T, typename Make, typename Bytes, typename Scaled, typename Transposed, typename Columns,
          typename Interleaved, typename Update>
void check_spmv_functions(Make make, Bytes bytes, Scaled scaled, Transposed transposed, Columns columns,
                          Interleaved interleaved, Update update) {
    // Rows in no order, an entry in two parts: 1 3 / 4 2.
    const std::int64_t begin[] = {0, 3, 5};
    const std::int32_t column[] = {1, 0, 1, 1, 0};
    const T value[] = {1, 1, 2, 2, 4};
    rooftune_plan* plan = make(nullptr, 2, 2, begin, column, value, 0, 1);
    REQUIRE(plan != nullptr);
    CHECK(rooftune_memory_bytes(plan) > 0);
    CHECK(rooftune_memory_bytes(plan) == bytes(nullptr, 2, 2, begin, column, value, 0, 1));
    const T x[] = {10, 100};
    T y[] = {1, 2};
    CHECK(scaled(plan, T{2}, x, T{3}, y) == ROOFTUNE_OK);
    CHECK((y[0] == T{623} && y[1] == T{486}));
    CHECK(transposed(plan, T{1}, x, T{0}, y) == ROOFTUNE_OK);
    CHECK((y[0] == T{410} && y[1] == T{230}));
    const T two[] = {10, 100, -1, 1, 0};
    T answers[] = {0, 0, 7, 0, 0};
    CHECK(columns(plan, 0, 2, T{1}, two, 3, T{0}, answers, 3) == ROOFTUNE_OK);
    CHECK((answers[0] == T{310} && answers[1] == T{240} && answers[2] == T{7} && answers[3] == T{1} &&
           answers[4] == T{4}));
    CHECK(columns(plan, 1, 1, T{1}, two, 2, T{0}, answers, 2) == ROOFTUNE_OK);
    CHECK((answers[0] == T{410} && answers[1] == T{230}));
    const T beside[] = {10, 1, 100, 0};
    CHECK(interleaved(plan, 0, 2, T{1}, beside, 2, T{0}, answers, 2) == ROOFTUNE_OK);
    CHECK((answers[0] == T{310} && answers[1] == T{1} && answers[2] == T{240} && answers[3] == T{4}));
    CHECK(interleaved(plan, 1, 2, T{1}, beside, 1, T{0}, answers, 2) == ROOFTUNE_BAD_INPUT);
    CHECK_THAT(rooftune_error(), Contains("2 vectors side by side"));
    CHECK(columns(plan, 0, 2, T{1}, two, 1, T{0}, answers, 3) == ROOFTUNE_BAD_INPUT);
    CHECK_THAT(rooftune_error(), Contains("ldx is 1"));
    const T others[] = {1, 2, 0, 3, 0};
    CHECK(update(plan, others, 4) == ROOFTUNE_BAD_INPUT);
    CHECK_THAT(rooftune_error(), Contains("4 values"));
    CHECK(update(plan, nullptr, 5) == ROOFTUNE_BAD_INPUT);
    CHECK(update(plan, others, 5) == ROOFTUNE_OK);
    CHECK(scaled(plan, T{1}, x, T{0}, y) == ROOFTUNE_OK);
    CHECK((y[0] == T{120} && y[1] == T{300}));
    CHECK(scaled(nullptr, T{1}, x, T{0}, y) == ROOFTUNE_BAD_INPUT);
    CHECK(transposed(plan, T{1}, nullptr, T{0}, y) == ROOFTUNE_BAD_INPUT);
    rooftune_free_plan(plan);
    CHECK(bytes(nullptr, 2, 2, begin, column, value, 1, 1) == 0);
    CHECK_THAT(rooftune_error(), Contains("check the base"));
}

}  // namespace

TEST_CASE("C: new values, alpha and beta, the transposed and several vectors, in both types") {
    check_spmv_functions<double>(rooftune_spmv_plan_f64, rooftune_spmv_memory_bytes_f64,
                                 rooftune_spmv_scaled_f64, rooftune_spmv_transposed_f64,
                                 rooftune_spmv_columns_f64, rooftune_spmv_interleaved_f64,
                                 rooftune_spmv_update_values_f64);
    check_spmv_functions<float>(rooftune_spmv_plan_f32, rooftune_spmv_memory_bytes_f32,
                                rooftune_spmv_scaled_f32, rooftune_spmv_transposed_f32,
                                rooftune_spmv_columns_f32, rooftune_spmv_interleaved_f32,
                                rooftune_spmv_update_values_f32);
    rooftune_plan* product = rooftune_matmul_plan_f64(nullptr, 2, 2, 2, 1.0, 0.0, 0, 0, 1);
    REQUIRE(product != nullptr);
    double y[2] = {};
    CHECK(rooftune_spmv_scaled_f64(product, 1.0, y, 0.0, y) == ROOFTUNE_BAD_INPUT);
    CHECK_THAT(rooftune_error(), Contains("no f64 spmv plan"));
    rooftune_free_plan(product);
    CHECK(rooftune_memory_bytes(nullptr) == 0);
}

TEST_CASE("C: several vectors by an executor, in both orders and types") {
    const std::int64_t begin[] = {0, 2, 3};
    const std::int32_t column[] = {0, 1, 1};
    const double value[] = {1, 2, 3};
    const auto by = [](void* data, int n, void (*body)(void*, int), void* context) {
        ++*static_cast<int*>(data);
        for (int i = n; i-- > 0;) body(context, i);
    };
    int asked = 0;
    const int threads = static_cast<int>(rooftune::test::at_most_two_cpus().size());
    // Asked once or more for each run by a plan of several threads, and never by one of one.
    const auto was_asked = [&] {
        const bool so = (asked > 0) == (threads > 1);
        asked = 0;
        return so;
    };
    rooftune_plan* plan = rooftune_spmv_plan_f64(nullptr, 2, 2, begin, column, value, 0, threads);
    REQUIRE(plan != nullptr);
    const double x[] = {1, 10, 2, 20};
    double y[4] = {};
    CHECK(rooftune_spmv_columns_on_f64(plan, by, &asked, 0, 2, 1.0, x, 2, 0.0, y, 2) == ROOFTUNE_OK);
    CHECK((y[0] == 21 && y[1] == 30 && y[2] == 42 && y[3] == 60));
    CHECK(was_asked());
    CHECK(rooftune_spmv_interleaved_on_f64(plan, by, &asked, 1, 2, 1.0, x, 2, 0.0, y, 2) == ROOFTUNE_OK);
    CHECK((y[0] == 1 && y[1] == 10 && y[2] == 8 && y[3] == 80));
    CHECK(was_asked());
    CHECK(rooftune_spmv_columns_on_f64(plan, nullptr, nullptr, 0, 2, 1.0, x, 2, 0.0, y, 2) ==
          ROOFTUNE_BAD_INPUT);
    CHECK_THAT(rooftune_error(), Contains("the executor is a null pointer"));
    rooftune_free_plan(plan);
    const float value_f32[] = {1, 2, 3}, x_f32[] = {1, 10, 2, 20};
    float y_f32[4] = {};
    plan = rooftune_spmv_plan_f32(nullptr, 2, 2, begin, column, value_f32, 0, threads);
    REQUIRE(plan != nullptr);
    CHECK(rooftune_spmv_columns_on_f32(plan, by, &asked, 1, 2, 1.0F, x_f32, 2, 0.0F, y_f32, 2) ==
          ROOFTUNE_OK);
    CHECK((y_f32[0] == 1 && y_f32[1] == 32 && y_f32[2] == 2 && y_f32[3] == 64));
    CHECK(was_asked());
    CHECK(rooftune_spmv_interleaved_on_f32(plan, by, &asked, 0, 2, 1.0F, x_f32, 2, 0.0F, y_f32, 2) ==
          ROOFTUNE_OK);
    CHECK((y_f32[0] == 5 && y_f32[1] == 50 && y_f32[2] == 6 && y_f32[3] == 60));
    CHECK(was_asked());
    rooftune_free_plan(plan);
}

TEST_CASE("C: values that stay with the program, in both types") {
    const std::int64_t begin[] = {0, 2, 3};
    const std::int32_t column[] = {0, 1, 1};
    double value[] = {1, 2, 3};
    rooftune_plan* plan = rooftune_spmv_plan_f64(nullptr, 2, 2, begin, column, value, 0, 1);
    REQUIRE(plan != nullptr);
    CHECK(rooftune_spmv_view_values_f64(plan, value, 2) == ROOFTUNE_BAD_INPUT);
    CHECK(rooftune_spmv_view_values_f64(plan, value, 3) == ROOFTUNE_OK);
    value[2] = 5;
    const double x[] = {1, 10};
    double y[2] = {};
    CHECK(rooftune_spmv_f64(plan, x, y) == ROOFTUNE_OK);
    CHECK((y[0] == 21.0 && y[1] == 50.0));
    rooftune_free_plan(plan);
    float value_f32[] = {1, 2, 3};
    plan = rooftune_spmv_plan_f32(nullptr, 2, 2, begin, column, value_f32, 0, 1);
    REQUIRE(plan != nullptr);
    CHECK(rooftune_spmv_view_values_f32(plan, value_f32, 3) == ROOFTUNE_OK);
    value_f32[0] = 7.0F;
    const float x_f32[] = {1, 10};
    float y_f32[2] = {};
    CHECK(rooftune_spmv_f32(plan, x_f32, y_f32) == ROOFTUNE_OK);
    CHECK((y_f32[0] == 27.0F && y_f32[1] == 30.0F));
    rooftune_free_plan(plan);
}

TEST_CASE("C: a matrix product in both types") {
    rooftune_plan* plan = rooftune_matmul_plan_f32(nullptr, 2, 1, 3, 2.0, 1.0, 0, 1, 1);
    REQUIRE(plan != nullptr);
    const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 1, 2};
    float c[] = {100, 200};
    CHECK(rooftune_matmul_f32(plan, a, b, c) == ROOFTUNE_OK);
    CHECK(c[0] == 118.0F);
    CHECK(c[1] == 242.0F);
    rooftune_free_plan(plan);
    CHECK(rooftune_matmul_plan_f64(nullptr, -2, 1, 3, 1.0, 0.0, 0, 0, 1) == nullptr);
    CHECK(std::strlen(rooftune_error()) > 0);
    CHECK(rooftune_matmul_plan_f64(nullptr, 2, 1, 3, 1.0, 0.0, 0, 0, 100000) == nullptr);
    CHECK_THAT(rooftune_error(), Contains("100000 threads"));
}

TEST_CASE("C: steps of a stencil") {
    const double coefficients[4] = {0.5, 0.25, 0.0, 0.0};
    rooftune_plan* plan = rooftune_stencil_plan_f64(nullptr, 3, 2, 1, 7, 1, 0, coefficients, 1);
    REQUIRE(plan != nullptr);
    CHECK(rooftune_stencil_fill(
              plan,
              [](void* scale, int64_t x, int64_t, int64_t) {
                  return *static_cast<double*>(scale) * static_cast<double>(x);
              },
              const_cast<double*>(&coefficients[0])) == ROOFTUNE_OK);
    CHECK(rooftune_stencil_run(plan) == ROOFTUNE_OK);
    // A point, and six neighbours of which two differ by as much up and down: 0.5·x/2 + 0.25·6·x/2.
    const double* row = rooftune_stencil_row_f64(plan, 1, 0);
    REQUIRE(row != nullptr);
    CHECK(row[2] == 2.0);
    CHECK(rooftune_stencil_row_f64(plan, 2, 0) == nullptr);
    CHECK_THAT(rooftune_error(), Contains("there is no row y = 2"));
    CHECK(rooftune_stencil_row_f32(plan, 0, 0) == nullptr);
    CHECK(rooftune_stencil_run(nullptr) == ROOFTUNE_BAD_INPUT);
    rooftune_free_plan(plan);
}

TEST_CASE("C: configs that cannot be read are notices") {
    const rooftune::test::TemporaryFolder folder;
    folder.write("torn.json", "{");
    rooftune_tuned* tuned = rooftune_load_tuned(folder.path().c_str());
    REQUIRE(tuned != nullptr);
    REQUIRE(rooftune_notices(tuned) >= 1);
    CHECK_THAT(rooftune_notice(tuned, 0), Contains("torn.json"));
    CHECK(rooftune_notice(tuned, 100) == nullptr);
    rooftune_free_tuned(tuned);
    rooftune_free_tuned(nullptr);
    CHECK(rooftune_notices(nullptr) == 0);
}

TEST_CASE("C: plans on threads of the caller's, by parts and by an executor") {
    const auto one_by_one = [](void* calls, int n, void (*body)(void*, int), void* context) {
        ++*static_cast<int*>(calls);
        for (int i = n - 1; i >= 0; --i) body(context, i);
    };
    int calls = 0;
    const std::int64_t begin[] = {0, 2, 3, 4};
    const std::int32_t column[] = {0, 1, 1, 2};
    const double value[] = {1.0, 2.0, 3.0, 4.0};
    const float single[] = {1.0F, 2.0F, 3.0F, 4.0F};
    rooftune_plan* spmv = rooftune_spmv_plan_f64(nullptr, 3, 3, begin, column, value, 0, 0);
    REQUIRE(spmv != nullptr);
    const double x[] = {10.0, 100.0, 1000.0};
    double y[] = {0.0, 0.0, 0.0};
    const auto is_right = [](const auto* z) { return z[0] == 210 && z[1] == 300 && z[2] == 4000; };
    std::vector<int> status(3, -1);
    rooftune::test::at_once(3, [&](int part) {
        status[static_cast<std::size_t>(part)] = rooftune_spmv_part_f64(spmv, part, 3, x, y);
    });
    CHECK(status == std::vector<int>(3, ROOFTUNE_OK));
    CHECK(is_right(y));
    y[0] = y[1] = y[2] = 0.0;
    CHECK(rooftune_spmv_on_f64(spmv, one_by_one, &calls, x, y) == ROOFTUNE_OK);
    CHECK(is_right(y));
    const double doubled[] = {2.0, 4.0, 6.0, 8.0};
    CHECK(rooftune_spmv_update_values_on_f64(spmv, one_by_one, &calls, doubled, 4) == ROOFTUNE_OK);
    CHECK(rooftune_spmv_on_f64(spmv, one_by_one, &calls, x, y) == ROOFTUNE_OK);
    CHECK((y[0] == 420 && y[1] == 600 && y[2] == 8000));
    CHECK(rooftune_spmv_update_values_on_f64(spmv, nullptr, nullptr, value, 4) == ROOFTUNE_BAD_INPUT);
    CHECK_THAT(rooftune_error(), Contains("the executor is a null pointer"));
    CHECK(rooftune_spmv_update_values_on_f32(spmv, one_by_one, &calls, single, 4) == ROOFTUNE_BAD_INPUT);
    CHECK_THAT(rooftune_error(), Contains("no f32 spmv plan"));
    CHECK(rooftune_spmv_update_values_on_f64(spmv, one_by_one, &calls, value, 4) == ROOFTUNE_OK);
    CHECK(rooftune_spmv_part_f64(spmv, 3, 3, x, y) == ROOFTUNE_BAD_INPUT);
    CHECK_THAT(rooftune_error(), Contains("part 3 of 3 is none"));
    CHECK(rooftune_spmv_on_f64(spmv, nullptr, nullptr, x, y) == ROOFTUNE_BAD_INPUT);
    CHECK_THAT(rooftune_error(), Contains("the executor is a null pointer"));
    CHECK(rooftune_spmv_part_f32(spmv, 0, 1, nullptr, nullptr) == ROOFTUNE_BAD_INPUT);
    CHECK_THAT(rooftune_error(), Contains("no f32 spmv plan"));
    CHECK(rooftune_spmv_on_f32(spmv, one_by_one, &calls, nullptr, nullptr) == ROOFTUNE_BAD_INPUT);
    CHECK(rooftune_matmul_part_f64(spmv, 0, 1, x, x, y) == ROOFTUNE_BAD_INPUT);
    CHECK(rooftune_stencil_part(spmv, 0, 1) == ROOFTUNE_BAD_INPUT);
    CHECK(rooftune_stencil_on(nullptr, one_by_one, &calls) == ROOFTUNE_BAD_INPUT);
    rooftune_free_plan(spmv);

    rooftune_plan* narrow = rooftune_spmv_plan_f32(nullptr, 3, 3, begin, column, single, 0, 1);
    REQUIRE(narrow != nullptr);
    const float xf[] = {10.0F, 100.0F, 1000.0F};
    float yf[] = {0.0F, 0.0F, 0.0F};
    CHECK(rooftune_spmv_part_f32(narrow, 0, 1, xf, yf) == ROOFTUNE_OK);
    CHECK(is_right(yf));
    yf[0] = yf[1] = yf[2] = 0.0F;
    CHECK(rooftune_spmv_on_f32(narrow, one_by_one, &calls, xf, yf) == ROOFTUNE_OK);
    CHECK(is_right(yf));
    rooftune_free_plan(narrow);

    rooftune_plan* matmul = rooftune_matmul_plan_f64(nullptr, 3, 1, 1, 1.0, 0.0, 0, 0, 0);
    REQUIRE(matmul != nullptr);
    const double two = 2.0;
    rooftune::test::at_once(2, [&](int part) { rooftune_matmul_part_f64(matmul, part, 2, x, &two, y); });
    CHECK(y[2] == 2000.0);
    y[2] = 0.0;
    CHECK(rooftune_matmul_on_f64(matmul, one_by_one, &calls, x, &two, y) == ROOFTUNE_OK);
    CHECK(y[2] == 2000.0);
    rooftune_free_plan(matmul);
    matmul = rooftune_matmul_plan_f32(nullptr, 3, 1, 1, 1.0, 0.0, 0, 0, 1);
    REQUIRE(matmul != nullptr);
    const float two_f = 2.0F;
    CHECK(rooftune_matmul_part_f32(matmul, 0, 1, xf, &two_f, yf) == ROOFTUNE_OK);
    CHECK(yf[2] == 2000.0F);
    yf[2] = 0.0F;
    CHECK(rooftune_matmul_on_f32(matmul, one_by_one, &calls, xf, &two_f, yf) == ROOFTUNE_OK);
    CHECK(yf[2] == 2000.0F);
    rooftune_free_plan(matmul);

    const double coefficients[4] = {0.5, 0.0, 0.0, 0.0};
    rooftune_plan* stencil = rooftune_stencil_plan_f64(nullptr, 3, 4, 4, 7, 1, 0, coefficients, 0);
    REQUIRE(stencil != nullptr);
    rooftune_stencil_fill(
        stencil, [](void*, int64_t, int64_t, int64_t) { return 8.0; }, nullptr);
    rooftune::test::at_once(2, [&](int part) { rooftune_stencil_part(stencil, part, 2); });
    CHECK(rooftune_stencil_row_f64(stencil, 3, 3)[2] == 4.0);
    CHECK(rooftune_stencil_on(stencil, one_by_one, &calls) == ROOFTUNE_OK);
    CHECK(rooftune_stencil_row_f64(stencil, 0, 0)[0] == 2.0);
    rooftune_free_plan(stencil);
}
