// The product that answers are made of: against the triple loop, in sizes that nothing divides, at every
// width.
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "kernels/matmul/reference_product.h"
#include "tests/support/catch.h"

using namespace rooftune;
using namespace rooftune::matmul;

namespace {

double element(std::size_t i) {
    return std::sin(static_cast<double>(i) * 1.7) + 0.25;
}

std::vector<double> matrix(std::size_t count, std::size_t from) {
    std::vector<double> x(count);
    for (std::size_t i = 0; i < count; ++i) x[i] = element(i + from);
    return x;
}

// Largest difference from the triple loop, and whether anything outside of the part was touched.
void check(std::int64_t m, std::int64_t n, std::int64_t k, Range rows, Range columns) {
    const auto a = matrix(static_cast<std::size_t>(m * k), 1), b = matrix(static_cast<std::size_t>(k * n), 7);
    std::vector<double> sums = matrix(static_cast<std::size_t>(m * n), 3);
    const std::vector<double> before = sums;
    ReferenceProduct(2).add(1, a, b, static_cast<std::size_t>(n), static_cast<std::size_t>(k), rows, columns,
                            sums);
    double worst = 0.0;
    bool outside = false;
    for (std::int64_t i = 0; i < m; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
            const auto at = static_cast<std::size_t>(i * n + j);
            const bool inside = i >= rows.begin && i < rows.end && j >= columns.begin && j < columns.end;
            if (!inside) {
                outside = outside || sums[at] != before[at];
                continue;
            }
            double sum = before[at];
            for (std::int64_t p = 0; p < k; ++p)
                sum += a[static_cast<std::size_t>(i * k + p)] * b[static_cast<std::size_t>(p * n + j)];
            worst = std::max(worst, std::abs(sums[at] - sum));
        }
    }
    INFO(m << " x " << n << " x " << k << ", rows " << rows.begin << " to " << rows.end << ", columns "
           << columns.begin << " to " << columns.end);
    CHECK(worst <= 1e-11 * static_cast<double>(k + 1));
    CHECK_FALSE(outside);
}

}  // namespace

TEST_CASE("the reference's product is the triple loop's, whatever the size, the part and the vectors") {
    const char* const given = std::getenv("ROOFTUNE_MAX_WIDTH");
    const std::string before = given ? given : "";
    for (const char* width : {"512", "256", "128"}) {  // at most: the widest of the processor
        setenv("ROOFTUNE_MAX_WIDTH", width, 1);
        for (const std::int64_t m : {1, 5, 6, 7, 49, 97}) {
            for (const std::int64_t n : {1, 3, 8, 17, 257}) {
                for (const std::int64_t k : {1, 2, 255, 300}) check(m, n, k, {0, m}, {0, n});
            }
        }
        check(50, 40, 30, {7, 31}, {8, 23});
        check(50, 40, 30, {7, 7}, {0, 40});
        check(50, 40, 30, {0, 50}, {40, 40});
        check(13, 700, 20, {2, 12}, {3, 650});
    }
    if (given)
        setenv("ROOFTUNE_MAX_WIDTH", before.c_str(), 1);
    else
        unsetenv("ROOFTUNE_MAX_WIDTH");
}
