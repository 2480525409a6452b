// The judge, with planted right and wrong answers.
#include <cmath>

#include "kernels/spmv/oracle.h"
#include "tests/support/catch.h"
#include "tests/unit/spmv/matrices.h"

using namespace rooftune;
using namespace rooftune::spmv;
using namespace rooftune::spmv_test;

TEST_CASE("the oracle of a small matrix is what the sums say") {
    const Csr matrix = from_rows(3, {{0, 2}, {}, {1}});
    const Oracle oracle = make_oracle(matrix.view(), DType::f64, 5);
    const double y0 = matrix.value[0] * input_element(5, 0) + matrix.value[1] * input_element(5, 2);
    REQUIRE(oracle.expected.size() == 3);
    CHECK(std::abs(oracle.expected[0] - y0) <= oracle.tolerance[0]);
    CHECK(oracle.expected[1] == 0.0);
    CHECK(oracle.tolerance[1] == 0.0);
    CHECK(std::abs(oracle.expected[2] - matrix.value[2] * input_element(5, 1)) <= oracle.tolerance[2]);
}

TEST_CASE("an error of one entry, or of a few units in the last place, is outside the tolerance") {
    const Csr matrix = random_matrix(20, 40, 1, [](std::int64_t) { return 0.3; });
    for (const DType dtype : {DType::f64, DType::f32}) {
        const Oracle oracle = make_oracle(matrix.view(), dtype, 9);
        for (std::size_t i = 0; i < 20; ++i) {
            const auto entries = static_cast<double>(matrix.row_begin[i + 1] - matrix.row_begin[i]);
            if (entries == 0.0) continue;
            const double unit = dtype == DType::f64 ? 0x1p-53 : 0x1p-24;
            // No tolerance may hide the smallest entry, 0.37 * 0.5.
            CHECK(oracle.tolerance[i] < 0.185);
            CHECK(oracle.tolerance[i] < 2.0 * (entries + 2.0) * unit * entries);
            CHECK(oracle.tolerance[i] > 0.0);
        }
    }
}

TEST_CASE("inputs differ between seeds, are never small, and have both signs") {
    int negative = 0;
    int equal = 0;
    for (std::int64_t i = 0; i < 1000; ++i) {
        const double x = input_element(1, i);
        CHECK(std::abs(x) >= 0.5);
        CHECK(std::abs(x) <= 1.0);
        negative += x < 0 ? 1 : 0;
        equal += x == input_element(2, i) ? 1 : 0;
    }
    CHECK(negative > 400);
    CHECK(negative < 600);
    CHECK(equal == 0);
}

TEST_CASE("products that underflow are within the tolerance") {
    Csr matrix = from_rows(2, {{0, 1}});
    matrix.value = {1e-320, 1e-320};
    const Oracle oracle = make_oracle(matrix.view(), DType::f64, 3);
    const double y = matrix.value[0] * input_element(3, 0) + matrix.value[1] * input_element(3, 1);
    CHECK(std::abs(y - oracle.expected[0]) <= oracle.tolerance[0]);
}
