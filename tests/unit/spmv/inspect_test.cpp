// What is said of a matrix's structure, on matrices of which it is known, and where its entries lie against a
// plain count.
#include <limits>
#include <map>

#include "kernels/contract/inspection.h"
#include "tests/support/catch.h"
#include "tests/unit/spmv/matrices.h"

using namespace rooftune;
using namespace rooftune::spmv;
using spmv_test::from_rows;

namespace {

Inspection inspected(const Csr& matrix, int cells = 16) {
    return SpmvProblem::from(matrix.view(), DType::f64, {}, "test")->inspect(cells);
}

std::map<std::string, InspectedFact> facts_of(const Csr& matrix) {
    std::map<std::string, InspectedFact> facts;
    for (const InspectedFact& fact : inspected(matrix).facts) {
        CHECK(facts.emplace(fact.key, fact).second);
        CHECK(fact.name != "");
        CHECK(std::isfinite(fact.value));
    }
    return facts;
}

Csr tridiagonal(int n) {
    std::vector<std::vector<std::uint32_t>> rows;
    for (int i = 0; i < n; ++i) {
        rows.emplace_back();
        for (int j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); ++j)
            rows.back().push_back(static_cast<std::uint32_t>(j));
    }
    Csr a = from_rows(n, rows);
    for (std::size_t i = 0; i < a.value.size(); ++i) a.value[i] = -1.0;
    return a;
}

}  // namespace

TEST_CASE("the structure of a band is said as it is") {
    auto fact = facts_of(tridiagonal(5));
    CHECK(fact["rows"].value == 5);
    CHECK(fact["stored"].value == 13);
    CHECK(fact["mean_row"].value == Approx(13.0 / 5.0));
    CHECK(fact["median_row"].value == 3);
    CHECK(fact["shortest_row"].value == 2);
    CHECK(fact["longest_row"].value == 3);
    CHECK(fact["longest_row_share"].value == Approx(3.0 / 13.0));
    CHECK(fact["empty_rows"].value == 0);
    CHECK(fact["bandwidth"].value == 1);
    CHECK(fact["mean_distance"].value == Approx(8.0 / 13.0));
    CHECK(fact["diagonal_entries"].value == 5);
    CHECK(fact["mean_run"].value == Approx(13.0 / 5.0));
    CHECK(fact["column_uses"].value == Approx(13.0 / 5.0));
    CHECK(fact["mirrored"].value == 1);
    CHECK(fact["symmetric"].value == 1);
    CHECK(fact["distinct_values"].value == 1);
    CHECK(fact["explicit_zeros"].value == 0);
}

TEST_CASE("rows that are all alike do not vary, and one long row is seen") {
    CHECK(facts_of(from_rows(4, {{0, 1}, {1, 2}, {2, 3}}))["row_variation"].value == 0);
    auto fact = facts_of(from_rows(4, {{0, 1, 2, 3}, {}, {}, {}}));
    CHECK(fact["longest_row_share"].value == 1);
    CHECK(fact["empty_rows"].value == 3);
    CHECK(fact["median_row"].value == 0);
    CHECK(fact["row_variation"].value == Approx(std::sqrt(3.0)));
    CHECK(fact["bandwidth"].value == 3);
}

TEST_CASE("a mirror image is one of its place, and of its value only where that is equal") {
    Csr a = from_rows(3, {{0, 1}, {0, 2}, {2}});
    a.value = {1, 2, 2, 4, 5};
    auto fact = facts_of(a);
    CHECK(fact["mirrored"].value == Approx(2.0 / 3.0));
    CHECK(fact["symmetric"].value == Approx(2.0 / 3.0));
    a.value = {1, 2, 3, 4, 5};
    CHECK(facts_of(a)["mirrored"].value == Approx(2.0 / 3.0));
    CHECK(facts_of(a)["symmetric"].value == 0);
    // What is nobody's number equals nothing, itself neither.
    a.value = {1, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN(), 4, 5};
    CHECK(facts_of(a)["symmetric"].value == 0);
    CHECK(facts_of(from_rows(2, {{0}, {1}}))["mirrored"].value == 1);
    CHECK_FALSE(facts_of(from_rows(3, {{0}, {1}})).contains("mirrored"));
}

TEST_CASE("blocks that are full store a value for each entry, others more") {
    auto fact = facts_of(from_rows(6, {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {3, 4, 5}, {3, 4, 5}, {3, 4, 5}}));
    CHECK(fact["fill_3x3"].value == 1);
    CHECK(fact["fill_2x2"].value == Approx(7.0 * 4.0 / 18.0));
    CHECK(fact["fill_6x6"].value == 2);
}

TEST_CASE("values are counted as far as a dictionary would have them") {
    Csr a = tridiagonal(30000);
    for (std::size_t i = 0; i < a.value.size(); ++i) a.value[i] = static_cast<double>(i);
    auto fact = facts_of(a);
    CHECK(fact["distinct_values"].value == 65536);
    CHECK(fact["distinct_values"].at_least);
    CHECK(fact["explicit_zeros"].value == 1);
    CHECK_FALSE(facts_of(tridiagonal(9))["distinct_values"].at_least);
}

TEST_CASE("an awkward matrix has facts, and every entry is in the cell of its place") {
    for (const auto& [name, matrix] : spmv_test::awkward_matrices()) {
        INFO(name);
        facts_of(matrix);
        for (const int cells : {1, 3, 7, 16}) {
            const Inspection found = inspected(matrix, cells);
            REQUIRE(found.density);
            const Density& d = *found.density;
            CHECK(d.rows == matrix.rows);
            CHECK(d.cols == matrix.cols);
            CHECK(d.height <= std::min<std::int64_t>(cells, matrix.rows));
            CHECK(d.width <= std::min<std::int64_t>(cells, matrix.cols));
            CHECK((d.height > 0) == (matrix.rows > 0 && matrix.cols > 0));
            double places = 0.0;
            for (int y = 0; y < d.height; ++y) {
                for (int x = 0; x < d.width; ++x) {
                    std::uint64_t entries = 0;
                    for (std::int64_t row = d.row_of(y); row < d.row_of(y + 1); ++row) {
                        for (std::int64_t i = matrix.row_begin[static_cast<std::size_t>(row)];
                             i < matrix.row_begin[static_cast<std::size_t>(row) + 1]; ++i) {
                            const std::int64_t column = matrix.column[static_cast<std::size_t>(i)];
                            entries += column >= d.col_of(x) && column < d.col_of(x + 1);
                        }
                    }
                    CHECK(d.at(y, x) == entries);
                    CHECK(d.places(y, x) > 0.0);
                    places += d.places(y, x);
                }
            }
            if (d.height > 0)
                CHECK(places == static_cast<double>(matrix.rows) * static_cast<double>(matrix.cols));
        }
    }
}
