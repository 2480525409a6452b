#include "tuner/plans/sparse_matrix.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "kernels/runtime/error.h"
#include "kernels/sparse/matrix_market.h"
#include "kernels/spmv/sparse.h"
#include "tuner/plans/sparse_matrix_inside.h"

namespace rooftune {
namespace {

constexpr std::int64_t kMostColumns = std::numeric_limits<std::int32_t>::max();

using Entry = std::pair<std::uint32_t, double>;

// Compressed rows of the caller's, counted from 0.
struct Arrays {
    std::span<const std::int64_t> begin;
    std::span<std::int64_t> columns;
    std::span<double> values;
};

// The first entry that is none, or as many as there are.
std::size_t first_wrong(const Arrays& a, std::int64_t cols) {
    for (std::size_t k = 0; k < a.columns.size(); ++k) {
        if (a.columns[k] < 0 || a.columns[k] >= cols || !std::isfinite(a.values[k])) return k;
    }
    return a.columns.size();
}

[[noreturn]] void refuse(const Arrays& a, std::size_t entry, std::int64_t cols) {
    const auto behind = std::upper_bound(a.begin.begin(), a.begin.end(), static_cast<std::int64_t>(entry));
    const std::string row = std::to_string(behind - a.begin.begin() - 1);
    if (a.columns[entry] < 0 || a.columns[entry] >= cols) {
        throw InputError("sparse matrix: entry " + std::to_string(entry) + ", in row " + row +
                         ", is in column " + std::to_string(a.columns[entry]) + " of " +
                         std::to_string(cols) + " (all counted from 0); check the base (0 or 1)");
    }
    throw InputError("sparse matrix: the value of entry " + std::to_string(entry) + ", in row " + row +
                     ", is not finite");
}

// Brings a row into ascending columns, those of one place added up in the order given; how many are left, in
// front.
std::size_t tidy(std::span<std::int64_t> columns, std::span<double> values) {
    const auto ascends = [](std::int64_t left, std::int64_t right) { return left < right; };
    if (std::adjacent_find(columns.begin(), columns.end(), std::not_fn(ascends)) == columns.end())
        return columns.size();
    std::vector<Entry> row(columns.size());
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = {static_cast<std::uint32_t>(columns[k]), values[k]};
    std::stable_sort(row.begin(), row.end(),
                     [](const Entry& a, const Entry& b) { return a.first < b.first; });
    std::size_t kept = 0;
    for (const auto& [column, value] : row) {
        if (kept > 0 && columns[kept - 1] == column) {
            values[kept - 1] += value;
        } else {
            columns[kept] = column;
            values[kept++] = value;
        }
    }
    return kept;
}

}  // namespace

void SparseMatrix::check_size(std::int64_t rows, std::int64_t cols, int base) {
    if (base != 0 && base != 1)
        throw InputError("sparse matrix: the base is " + std::to_string(base) +
                         "; rows and columns are counted from 0, as in C, or from 1, as in Fortran");
    if (rows >= 0 && cols >= 0 && cols <= kMostColumns) return;
    throw InputError("sparse matrix: " + std::to_string(rows) + " rows and " + std::to_string(cols) +
                     " columns; neither may be negative, and at most 2^31 - 1 columns are possible");
}

void SparseMatrix::check_array(const void* array, const char* name) {
    if (array == nullptr)
        throw InputError(std::string("sparse matrix: ") + name + " is a null pointer; hand over the array");
}

void SparseMatrix::check_begin(const std::int64_t* begin, std::size_t row) {
    if (row == 0 ? begin[0] == 0 : begin[row] >= begin[row - 1]) return;
    throw InputError("sparse matrix: row " + std::to_string(row) + " begins at entry " +
                     std::to_string(begin[row]) +
                     (row == 0 ? "; the first row begins at the first entry, so check the base (0 or 1)"
                               : ", before the row above it; row_begin must not descend"));
}

void SparseMatrix::take(std::int64_t rows, std::int64_t cols, const std::int64_t* begin,
                        std::int64_t* columns, double* values) {
    const auto entries = static_cast<std::size_t>(begin[rows]);
    const Arrays a{{begin, static_cast<std::size_t>(rows) + 1}, {columns, entries}, {values, entries}};
    if (const std::size_t wrong = first_wrong(a, cols); wrong < a.columns.size()) refuse(a, wrong, cols);
    auto inside = std::make_shared<Inside>();
    spmv::Csr& csr = inside->csr;
    csr.rows = rows;
    csr.cols = cols;
    csr.row_begin.reserve(static_cast<std::size_t>(rows) + 1);
    csr.column.reserve(entries);
    csr.value.reserve(entries);
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
        const auto first = static_cast<std::size_t>(begin[i]);
        const std::size_t length = static_cast<std::size_t>(begin[i + 1]) - first;
        const std::size_t kept = tidy(a.columns.subspan(first, length), a.values.subspan(first, length));
        for (std::size_t k = first; k < first + kept; ++k) {
            csr.column.push_back(static_cast<std::uint32_t>(columns[k]));
            csr.value.push_back(values[k]);
        }
        csr.row_begin.push_back(static_cast<std::int64_t>(csr.column.size()));
    }
    inside_ = std::move(inside);
}

SparseMatrix SparseMatrix::read(const std::string& file) {
    auto inside = std::make_shared<Inside>();
    inside->csr = spmv::read_matrix_market(file).matrix;
    SparseMatrix matrix;
    matrix.inside_ = std::move(inside);
    return matrix;
}

std::int64_t SparseMatrix::rows() const {
    return inside_->csr.rows;
}
std::int64_t SparseMatrix::cols() const {
    return inside_->csr.cols;
}
std::int64_t SparseMatrix::stored() const {
    return static_cast<std::int64_t>(inside_->csr.column.size());
}

}  // namespace rooftune
