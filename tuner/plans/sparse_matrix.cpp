#include "tuner/plans/sparse_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/runtime/error.h"
#include "kernels/sparse/matrix_market.h"
#include "kernels/spmv/sparse.h"
#include "tuner/plans/sparse_matrix_inside.h"

namespace rooftune {
namespace {

constexpr std::int64_t kMostColumns = std::numeric_limits<std::int32_t>::max();

using Entry = std::pair<std::uint32_t, double>;

// In ascending columns, those of one place added up in the order given.
void tidy(std::vector<Entry>& row) {
    std::stable_sort(row.begin(), row.end(),
                     [](const Entry& a, const Entry& b) { return a.first < b.first; });
    std::size_t kept = 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
        if (kept > 0 && row[kept - 1].first == row[k].first) {
            row[kept - 1].second += row[k].second;
        } else {
            row[kept++] = row[k];
        }
    }
    row.resize(kept);
}

}  // namespace

void SparseMatrix::check_size(std::int64_t rows, std::int64_t cols) {
    if (rows >= 0 && cols >= 0 && cols <= kMostColumns) return;
    throw InputError("sparse matrix: " + std::to_string(rows) + " rows and " + std::to_string(cols) +
                     " columns; neither may be negative, and at most 2^31 - 1 columns are possible");
}

void SparseMatrix::check_begin(const std::vector<std::int64_t>& begin, std::size_t row) {
    if (row == 0 ? begin[0] == 0 : begin[row] >= begin[row - 1]) return;
    throw InputError("sparse matrix: row " + std::to_string(row) + " begins at entry " +
                     std::to_string(begin[row]) +
                     (row == 0 ? "; the first row begins at the first entry, so check the base (0 or 1)"
                               : ", before the row above it; row_begin must not descend"));
}

void SparseMatrix::take(std::int64_t rows, std::int64_t cols, std::vector<std::int64_t> begin,
                        std::vector<std::int64_t> columns, std::vector<double> values) {
    auto inside = std::make_shared<Inside>();
    spmv::Csr& csr = inside->csr;
    csr.rows = rows;
    csr.cols = cols;
    csr.column.reserve(columns.size());
    csr.value.reserve(columns.size());
    std::vector<Entry> row;
    for (std::int64_t i = 0; i < rows; ++i) {
        row.clear();
        for (auto k = static_cast<std::size_t>(begin[static_cast<std::size_t>(i)]);
             k < static_cast<std::size_t>(begin[static_cast<std::size_t>(i) + 1]); ++k) {
            if (columns[k] < 0 || columns[k] >= cols) {
                throw InputError("sparse matrix: entry " + std::to_string(k) + ", in row " +
                                 std::to_string(i) + ", is in column " + std::to_string(columns[k]) + " of " +
                                 std::to_string(cols) + " (all counted from 0); check the base (0 or 1)");
            }
            if (!std::isfinite(values[k])) {
                throw InputError("sparse matrix: the value of entry " + std::to_string(k) + ", in row " +
                                 std::to_string(i) + ", is not finite");
            }
            row.emplace_back(static_cast<std::uint32_t>(columns[k]), values[k]);
        }
        tidy(row);
        for (const auto& [column, value] : row) {
            csr.column.push_back(column);
            csr.value.push_back(value);
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
