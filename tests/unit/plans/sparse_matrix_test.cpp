// Matrices as programs have them, in order or not.
#include "tuner/plans/sparse_matrix.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/plans/sparse_matrix_inside.h"

using namespace rooftune;
using Catch::Contains;

TEST_CASE("sparse matrix: rows in any order, entries of one place added up") {
    const std::int32_t begin[] = {0, 3, 3, 6};
    const std::int32_t column[] = {2, 0, 1, 1, 0, 1};
    const float value[] = {3.0F, 1.0F, 2.0F, 5.0F, 4.0F, 0.5F};
    const SparseMatrix a(3, 3, begin, column, value);
    CHECK(a.rows() == 3);
    CHECK(a.cols() == 3);
    CHECK(a.stored() == 5);
    CHECK(a.given() == 6);
    const SparseMatrix::Inside& in = a.inside();
    CHECK(in.pattern->row_begin == std::vector<std::int64_t>{0, 3, 3, 5});
    CHECK(in.pattern->column == std::vector<std::uint32_t>{0, 1, 2, 0, 1});
    CHECK(in.value == std::vector<double>{1.0, 2.0, 3.0, 4.0, 5.5});
    REQUIRE(in.places);
    CHECK(*in.places == EntryPlaces{2, 0, 1, 4, 3, 4});
    CHECK(in.csr.rows == 3);
    CHECK(in.csr.stored() == 5);
}

TEST_CASE("sparse matrix: counted from 1, as in Fortran") {
    const std::int64_t begin[] = {1, 2, 3};
    const std::int64_t column[] = {2, 1};
    const double value[] = {7.0, 8.0};
    const SparseMatrix a(2, 2, begin, column, value, 1);
    CHECK(a.inside().pattern->column == std::vector<std::uint32_t>{1, 0});
    CHECK_FALSE(a.inside().places);
    CHECK_THROWS_WITH(SparseMatrix(2, 2, begin, column, value, 0), Contains("check the base"));
}

TEST_CASE("sparse matrix: none of it, no rows, no entries") {
    const std::int32_t none[] = {0};
    const SparseMatrix empty(0, 5, none, none, static_cast<const double*>(nullptr));
    CHECK(empty.rows() == 0);
    CHECK(empty.stored() == 0);
    const std::int32_t zeros[] = {0, 0, 0};
    CHECK(SparseMatrix(2, 0, zeros, none, static_cast<const double*>(nullptr)).stored() == 0);
}

TEST_CASE("sparse matrix: what is wrong is named") {
    const std::int32_t column[] = {0, 1, 2};
    const double value[] = {1.0, 2.0, 3.0};
    const std::int32_t descending[] = {0, 2, 1};
    CHECK_THROWS_WITH(SparseMatrix(2, 3, descending, column, value), Contains("row 2 begins at entry 1"));
    const std::int32_t to_zero[] = {0, 2, 0};
    CHECK_THROWS_WITH(SparseMatrix(2, 3, to_zero, column, value), Contains("row 2 begins at entry 0"));
    const std::int32_t begin[] = {0, 1, 3};
    CHECK_THROWS_WITH(SparseMatrix(2, 2, begin, column, value),
                      Contains("entry 2, in row 1, is in column 2 of 2"));
    CHECK_THROWS_AS(SparseMatrix(-1, 2, begin, column, value), InputError);
    CHECK_THROWS_AS(SparseMatrix(2, std::int64_t{1} << 31, begin, column, value), InputError);
    const double bad[] = {1.0, std::numeric_limits<double>::quiet_NaN(), 3.0};
    CHECK_THROWS_WITH(SparseMatrix(2, 3, begin, column, bad), Contains("entry 1, in row 1, is not finite"));
}

TEST_CASE("sparse matrix: of more rows and entries than are handed over at once") {
    // A row of every length from 0 to 99, again and again; the last one is the other way round.
    std::vector<std::int32_t> begin{0}, column;
    std::vector<float> value;
    for (int row = 0; row < 2500; ++row) {
        for (int k = 0; k < row % 100; ++k) {
            column.push_back(row == 2499 ? 98 - k : k);
            value.push_back(static_cast<float>(value.size() % 1000));
        }
        begin.push_back(static_cast<std::int32_t>(column.size()));
    }
    const SparseMatrix a(2500, 99, begin.data(), column.data(), value.data());
    const SparseMatrix::Inside& in = a.inside();
    REQUIRE(a.stored() == static_cast<std::int64_t>(column.size()));
    CHECK(std::equal(begin.begin(), begin.end(), in.pattern->row_begin.begin(), in.pattern->row_begin.end()));
    int wrong = 0;
    for (std::size_t k = 0; k < column.size(); ++k) {
        const auto at = static_cast<std::size_t>((*in.places)[k]);
        wrong += in.pattern->column[at] != static_cast<std::uint32_t>(column[k]) ||
                 in.value[at] != static_cast<double>(value[k]);
        wrong += k + 99 < column.size() && at != k;
    }
    CHECK(wrong == 0);
    value[70'000] = std::numeric_limits<float>::infinity();
    CHECK_THROWS_WITH(SparseMatrix(2500, 99, begin.data(), column.data(), value.data()),
                      Contains("entry 70000, in row "));
    value[70'000] = 0.0F;
    begin[2000] = begin[1999] - 1;
    CHECK_THROWS_WITH(SparseMatrix(2500, 99, begin.data(), column.data(), value.data()),
                      Contains("row 2000 begins at entry"));
}

TEST_CASE("sparse matrix: from a Matrix Market file") {
    const test::TemporaryFolder folder;
    const std::string file =
        folder.write("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4\n2 1 -1\n");
    const SparseMatrix a = SparseMatrix::read(file);
    CHECK(a.stored() == 3);
    CHECK_THROWS_WITH(SparseMatrix::read(folder.file("gone.mtx")), Contains("gone.mtx"));
}
