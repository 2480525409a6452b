#include "tuner/external/given_matrix.h"

#include <cstring>
#include <filesystem>
#include <limits>

#include "kernels/runtime/error.h"
#include "kernels/sparse/hash.h"
#include "kernels/sparse/matrix_market.h"
#include "tuner/external/elements.h"

namespace rooftune::external {
namespace {

namespace fs = std::filesystem;

template <typename T>
void append(std::string& text, const std::vector<T>& values) {
    const std::uint64_t count = values.size();
    text.append(reinterpret_cast<const char*>(&count), sizeof count);
    text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

void take(const std::string& text, std::size_t& at, void* to, std::size_t bytes) {
    if (bytes > text.size() - at)
        throw EnvironmentError("the descriptor does not hold a matrix of this build");
    std::memcpy(to, text.data() + at, bytes);
    at += bytes;
}

template <typename T>
std::vector<T> take(const std::string& text, std::size_t& at) {
    std::uint64_t count = 0;
    take(text, at, &count, sizeof count);
    if (count > (text.size() - at) / sizeof(T))
        throw EnvironmentError("the descriptor does not hold a matrix of this build");
    std::vector<T> values(count);
    take(text, at, values.data(), count * sizeof(T));
    return values;
}

}  // namespace

std::vector<GivenMatrix> read_matrices(const Declaration& d, const std::map<std::string, std::string>& given,
                                       const std::string& folder) {
    std::vector<GivenMatrix> matrices;
    for (const DeclaredMatrix& m : d.matrices) {
        const auto other = given.find(m.name.text);
        const fs::path path =
            other != given.end() ? fs::absolute(other->second) : fs::absolute(fs::path(folder) / m.file.text);
        const std::string where =
            other != given.end() ? d.file + ": " + m.name.text + "=" : place_of(d.file, m.file);
        std::error_code error;
        if (!fs::is_regular_file(path, error))
            throw InputError(where + " there is no file " + path.lexically_normal().string() +
                             "; name a Matrix Market file, plain or gzip");
        GivenMatrix matrix;
        matrix.path = path.lexically_normal().string();
        matrix.rows = std::make_shared<const sparse::Csr>(sparse::read_matrix_market(matrix.path).matrix);
        for (const DeclaredArray& a : d.arrays) {
            const bool narrow = a.element == Element::i32 && a.part == MatrixPart::start;
            if (narrow && a.matrix == static_cast<int>(matrices.size()) &&
                matrix.rows->value.size() > std::numeric_limits<std::int32_t>::max())
                throw InputError(where + " it has more entries than indices of 32 bits count; declare i64");
        }
        matrices.push_back(std::move(matrix));
    }
    return matrices;
}

double size_of_matrix(const sparse::Csr& matrix, const std::string& what) {
    if (what == "rows") return static_cast<double>(matrix.rows);
    if (what == "columns") return static_cast<double>(matrix.cols);
    return static_cast<double>(matrix.value.size());
}

void store_part(const sparse::Csr& matrix, const DeclaredArray& array, std::byte* to, std::size_t begin,
                std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        const double value = array.part == MatrixPart::start    ? static_cast<double>(matrix.row_begin[i])
                             : array.part == MatrixPart::column ? static_cast<double>(matrix.column[i])
                                                                : matrix.value[i];
        store_element(array.element, to, i, value);
    }
}

std::string packed(const GivenMatrix& matrix) {
    const sparse::Csr& m = *matrix.rows;
    std::string text;
    append(text, std::vector<char>(matrix.path.begin(), matrix.path.end()));
    append(text, std::vector<std::int64_t>{m.rows, m.cols});
    append(text, m.row_begin);
    append(text, m.column);
    append(text, m.value);
    return text;
}

GivenMatrix unpacked(const std::string& text) {
    std::size_t at = 0;
    const auto path = take<char>(text, at);
    const auto sizes = take<std::int64_t>(text, at);
    sparse::Csr m;
    m.rows = sizes.at(0);
    m.cols = sizes.at(1);
    m.row_begin = take<std::int64_t>(text, at);
    m.column = take<std::uint32_t>(text, at);
    m.value = take<double>(text, at);
    return {std::string(path.begin(), path.end()), std::make_shared<const sparse::Csr>(std::move(m))};
}

std::string hash_of(const sparse::Csr& m) {
    sparse::Digest digest;
    digest.add(static_cast<std::uint64_t>(m.cols));
    digest.add(m.row_begin.data(), m.row_begin.size() * sizeof m.row_begin[0]);
    digest.add(m.column.data(), m.column.size() * sizeof m.column[0]);
    digest.add(m.value.data(), m.value.size() * sizeof m.value[0]);
    return digest.text();
}

}  // namespace rooftune::external
