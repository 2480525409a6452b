// What the Matrix Market format allows, by its awkward corners, and what becomes of it.
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>

#include "kernels/spmv/random_matrices.h"
#include "planted_files.h"

namespace rooftune::spmv::test {
namespace {

using Values = std::vector<double>;
using Columns = std::vector<std::uint32_t>;
using Starts = std::vector<std::int64_t>;

MatrixMarketFile read(const std::string& text, const MatrixMarketOptions& options = {}) {
    const PlantedFiles files;
    const MatrixMarketFile plain = read_matrix_market(files.write("a.mtx", text), options);
    const MatrixMarketFile gzip = read_matrix_market(files.write("a.mtx.gz", gzipped(text)), options);
    CHECK(gzip.matrix.row_begin == plain.matrix.row_begin);
    CHECK(gzip.matrix.column == plain.matrix.column);
    CHECK(gzip.matrix.value == plain.matrix.value);
    CHECK(is_well_formed(plain.matrix.view()));
    return plain;
}

}  // namespace

TEST_CASE("a general matrix, entries in any order", "[matrix market]") {
    const Csr a =
        read("%%MatrixMarket matrix coordinate real general\n3 4 4\n3 4 4.5\n1 2 -1e-3\n3 1 2\n1 1 7\n")
            .matrix;
    CHECK(a.rows == 3);
    CHECK(a.cols == 4);
    CHECK(a.row_begin == Starts{0, 2, 2, 4});
    CHECK(a.column == Columns{0, 1, 0, 3});
    CHECK(a.value == Values{7, -1e-3, 2, 4.5});
}

TEST_CASE("1 x 1, a row vector, a column vector", "[matrix market]") {
    CHECK(read("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 5\n").matrix.value == Values{5});
    CHECK(read("%%MatrixMarket matrix coordinate real general\n1 9 2\n1 9 5\n1 1 3\n").matrix.column ==
          Columns{0, 8});
    CHECK(read("%%MatrixMarket matrix coordinate real general\n3 1 1\n2 1 5\n").matrix.row_begin ==
          Starts{0, 0, 1, 1});
    CHECK(read("%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 5\n").matrix.value == Values{5});
    CHECK(read("%%MatrixMarket matrix array real skew-symmetric\n1 1\n").matrix.value.empty());
}

TEST_CASE("an empty matrix, empty rows at both ends", "[matrix market]") {
    CHECK(read("%%MatrixMarket matrix coordinate real general\n3 4 0\n").matrix.row_begin ==
          Starts{0, 0, 0, 0});
    CHECK(read("%%MatrixMarket matrix coordinate real general\n4 4 1\n3 2 1\n").matrix.row_begin ==
          Starts{0, 0, 0, 1, 1});
}

TEST_CASE("one huge row, its columns backwards", "[matrix market]") {
    constexpr int kColumns = 100'000;
    std::string text = "%%MatrixMarket matrix coordinate integer general\n3 100000 100000\n";
    for (int col = kColumns; col >= 1; --col)
        text += "2 " + std::to_string(col) + " " + std::to_string(col) + "\n";
    const Csr a = read(text).matrix;
    CHECK(a.row_begin == Starts{0, 0, kColumns, kColumns});
    CHECK(a.value.front() == 1.0);
    CHECK(a.value.back() == kColumns);
}

TEST_CASE("comments and blank lines between everything, tabs, no line end at the end", "[matrix market]") {
    const std::string sparse =
        "%%MatrixMarket matrix coordinate real general\n%\n\n% comment \xC3\xBC\n   \n\t2\t2  2 \n\n%\n  1 "
        "1\t1.5  \n \t \n  % indented\n2 2 2.5";
    CHECK(read(sparse).matrix.value == Values{1.5, 2.5});
    CHECK(read(sparse + "\n\n%\n%").matrix.value == Values{1.5, 2.5});
    CHECK(read("%%MatrixMarket matrix array real general\n% c\n2 1\n\n1\n% c\n2\n").matrix.value ==
          Values{1, 2});
}

TEST_CASE("CRLF line ends, mixed with LF", "[matrix market]") {
    const Csr a =
        read("%%MatrixMarket matrix coordinate real general\r\n%\r\n\r\n2 2 2\n1 1 1\r\n2 2 2\r\n").matrix;
    CHECK(a.value == Values{1, 2});
}

TEST_CASE("the banner in any letter case", "[matrix market]") {
    CHECK(read("%%matrixmarket MATRIX Coordinate Real General\n1 1 1\n1 1 5\n").matrix.value == Values{5});
}

TEST_CASE("spellings of numbers", "[matrix market]") {
    const Csr a = read(
                      "%%MatrixMarket matrix coordinate real general\n+1 +12 012\n1 +1 +1.5\n1 2 .5\n1 3 "
                      "5.\n1 4 -0\n1 5 1E+2\n1 6 1e-400\n"
                      "1 7 4.9e-324\n1 8 1.7976931348623157e308\n1 9 00012\n1 10 0.1\n1 "
                      "0000000000000000000000011 3\n1 12 "
                      "3.00000000000000000000000000000000000000000000000001\n")
                      .matrix;
    CHECK(a.value == Values{1.5, 0.5, 5, 0, 100, 0, 4.9e-324, 1.7976931348623157e308, 12, 0.1, 3, 3});
    CHECK(std::signbit(a.value[3]));
}

TEST_CASE("explicit zeros are kept", "[matrix market]") {
    CHECK(read("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 0\n2 1 0.0\n").matrix.value ==
          Values{0, 0});
    CHECK(read("%%MatrixMarket matrix array real general\n2 2\n0\n0\n0\n1\n").matrix.column ==
          Columns{0, 1, 0, 1});
}

TEST_CASE("integers", "[matrix market]") {
    const Csr a =
        read("%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 -9223372036854775808\n2 1 +7\n")
            .matrix;
    CHECK(a.value == Values{-0x1p63, 7, 7});
}

TEST_CASE("a symmetric file is expanded, its diagonal once", "[matrix market]") {
    const Csr a =
        read("%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n3 3 9\n3 1 2\n1 1 1\n3 2 4\n").matrix;
    CHECK(a.row_begin == Starts{0, 2, 3, 6});
    CHECK(a.column == Columns{0, 2, 2, 0, 1, 2});
    CHECK(a.value == Values{1, 2, 4, 2, 4, 9});
}

TEST_CASE("a skew-symmetric file is expanded with the sign turned", "[matrix market]") {
    const Csr a = read("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 5\n3 2 -7\n").matrix;
    CHECK(a.column == Columns{1, 0, 2, 1});
    CHECK(a.value == Values{-5, 5, 7, -7});
}

TEST_CASE("arrays run down the columns", "[matrix market]") {
    CHECK(read("%%MatrixMarket matrix array real general\n2 3\n11\n21\n12\n22\n13\n23\n").matrix.value ==
          Values{11, 12, 13, 21, 22, 23});
    CHECK(read("%%MatrixMarket matrix array integer symmetric\n3 3\n11\n21\n31\n22\n32\n33\n").matrix.value ==
          Values{11, 21, 31, 21, 22, 32, 31, 32, 33});
    const Csr skew = read("%%MatrixMarket matrix array real skew-symmetric\n3 3\n21\n31\n32\n").matrix;
    CHECK(skew.column == Columns{1, 2, 0, 2, 0, 1});
    CHECK(skew.value == Values{-21, -31, 21, -32, 31, 32});
}

TEST_CASE("pattern values are a function of seed and place, mirrored places agree", "[matrix market]") {
    const std::string text =
        "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 4\n1 1\n3 1\n4 2\n4 4\n";
    const std::string turned =
        "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 4\n4 4\n4 2\n3 1\n1 1\n";
    const Csr a = read(text).matrix;
    CHECK(a.value == read(turned).matrix.value);
    CHECK(value_at(a.view(), 0, 2) == value_at(a.view(), 2, 0));
    CHECK(value_at(a.view(), 1, 3) == value_at(a.view(), 3, 1));
    CHECK(value_at(a.view(), 0, 0) != value_at(a.view(), 3, 3));
    for (const double value : a.value) CHECK((value >= 0.5 && value < 1.5));
    MatrixMarketOptions other;
    other.pattern_seed = 2;
    CHECK(read(text, other).matrix.value != a.value);
}

TEST_CASE("the memory check lets through what fits", "[matrix market]") {
    const std::string text = "%%MatrixMarket matrix coordinate real general\n10 10 1\n1 1 1\n";
    const PlantedFiles files;
    const std::string path = files.write("a.mtx", text);
    MatrixMarketOptions options;
    options.available_bytes = 12.0 + 8.0 * 11 + 8.0 * 20 + 16.0;
    CHECK(verdict(files, path, options) == "accepted");
    options.available_bytes -= 1.0;
    CHECK_THAT(verdict(files, path, options),
               Catch::StartsWith("a.mtx:2: the matrix (10 x 10, 1 entries) needs about 0.3 KiB"));
}

TEST_CASE("532 x 231 written in random order comes back to the last bit", "[matrix market]") {
    const Csr a = uniform_random(532, 231, 17, 5);
    std::vector<std::string> lines;
    for (std::int64_t row = 0; row < a.rows; ++row) {
        for (std::int64_t k = a.row_begin[static_cast<std::size_t>(row)];
             k < a.row_begin[static_cast<std::size_t>(row) + 1]; ++k) {
            char line[80];
            std::snprintf(line, sizeof line, "%lld %u %.17g\n", static_cast<long long>(row + 1),
                          a.column[static_cast<std::size_t>(k)] + 1, a.value[static_cast<std::size_t>(k)]);
            lines.emplace_back(line);
        }
    }
    std::mt19937_64 random(11);
    std::shuffle(lines.begin(), lines.end(), random);
    const std::string head =
        "%%MatrixMarket matrix coordinate real general\n532 231 " + std::to_string(lines.size()) + "\n";
    const Csr b = read(std::accumulate(lines.begin(), lines.end(), head)).matrix;
    CHECK(b.row_begin == a.row_begin);
    CHECK(b.column == a.column);
    CHECK(b.value == a.value);
}

}  // namespace rooftune::spmv::test
