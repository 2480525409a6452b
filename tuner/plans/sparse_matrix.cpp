#include "tuner/plans/sparse_matrix.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "kernels/runtime/error.h"
#include "kernels/runtime/memory.h"
#include "kernels/sparse/matrix_market.h"
#include "kernels/spmv/sparse.h"
#include "tuner/plans/all_finite.h"
#include "tuner/plans/sparse_matrix_inside.h"

namespace rooftune {
namespace {

constexpr std::int64_t kMostColumns = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostRows = std::numeric_limits<std::uint32_t>::max();  // as kernels count them

/// An entry of a row that is being sorted: its column, its value and its place in the program's arrays.
struct Entry {
    std::uint32_t column;
    double value;
    std::size_t given;
};

[[noreturn]] void refuse(const spmv::Csr& a, std::int64_t column, std::int64_t entry) {
    const auto behind = std::upper_bound(a.row_begin.begin(), a.row_begin.end(), entry);
    const std::string row = std::to_string(behind - a.row_begin.begin() - 1);
    if (column < 0 || column >= a.cols) {
        throw InputError("sparse matrix: entry " + std::to_string(entry) + ", in row " + row +
                         ", is in column " + std::to_string(column) + " of " + std::to_string(a.cols) +
                         " (all counted from 0); check the base (0 or 1)");
    }
    throw InputError("sparse matrix: the value of entry " + std::to_string(entry) + ", in row " + row +
                     ", is not finite");
}

bool ascends(std::span<const std::uint32_t> columns) {
    unsigned ascending = 1;  // without branches, for as many at once as a vector holds
    for (std::size_t k = 1; k < columns.size(); ++k) ascending &= unsigned{columns[k - 1] < columns[k]};
    return ascending != 0;
}

bool rows_ascend(const spmv::CsrView& a) {
    for (std::size_t row = 0; row + 1 < a.row_begin.size(); ++row) {
        const auto first = static_cast<std::size_t>(a.row_begin[row]);
        const auto end = static_cast<std::size_t>(a.row_begin[row + 1]);
        if (!ascends(a.column.subspan(first, end - first))) return false;
    }
    return true;
}

// Of rows that ascend.
bool rows_end_inside(const spmv::CsrView& a) {
    for (std::size_t row = 0; row + 1 < a.row_begin.size(); ++row) {
        const std::int64_t end = a.row_begin[row + 1];
        if (end > a.row_begin[row] && a.column[static_cast<std::size_t>(end) - 1] >= a.cols) return false;
    }
    return true;
}

// Brings rows into ascending columns, entries of one place added up in the order given.
EntryPlaces tidy(spmv::Csr& a, std::vector<double>& value) {
    EntryPlaces places(a.column.size());
    std::vector<Entry> row;
    std::size_t kept = 0, first = 0;
    for (std::size_t r = 1; r < a.row_begin.size(); ++r) {
        const auto end = static_cast<std::size_t>(a.row_begin[r]);
        row.clear();
        for (std::size_t k = first; k < end; ++k) row.push_back({a.column[k], value[k], k});
        const auto before = [](const Entry& p, const Entry& q) { return p.column < q.column; };
        if (!std::is_sorted(row.begin(), row.end(), before)) std::stable_sort(row.begin(), row.end(), before);
        const std::size_t begin = kept;
        for (const Entry& entry : row) {
            if (kept > begin && a.column[kept - 1] == entry.column) {
                value[kept - 1] += entry.value;
            } else {
                a.column[kept] = entry.column;
                value[kept++] = entry.value;
            }
            places[entry.given] = static_cast<std::int64_t>(kept) - 1;
        }
        first = end;
        a.row_begin[r] = static_cast<std::int64_t>(kept);
    }
    a.column.resize(kept);
    value.resize(kept);
    return places;
}

template <typename T>
void reserve(std::vector<T>& array, std::size_t size) {
    array.reserve(size);
    like_huge_pages(array.data(), size * sizeof(T));
}

}  // namespace

std::shared_ptr<const spmv::Csr> SparseMatrix::Inside::kept_pattern() const {
    if (owns_columns()) return pattern;
    auto copy = std::make_shared<spmv::Csr>(*pattern);
    // At once: room that is made first is written twice, by this thread all the same.
    reserve(copy->column, csr.column.size());
    copy->column.assign(csr.column.begin(), csr.column.end());
    return copy;
}

std::size_t SparseMatrix::Inside::pattern_bytes() const {
    const std::size_t columns = owns_columns() ? pattern->column.capacity() : csr.column.size();
    return pattern->row_begin.capacity() * sizeof(std::int64_t) + columns * sizeof(std::uint32_t);
}

void SparseMatrix::check_size(std::int64_t rows, std::int64_t cols, int base) {
    if (base != 0 && base != 1)
        throw InputError("sparse matrix: the base is " + std::to_string(base) +
                         "; rows and columns are counted from 0, as in C, or from 1, as in Fortran");
    if (rows >= 0 && rows <= kMostRows && cols >= 0 && cols <= kMostColumns) return;
    throw InputError("sparse matrix: " + std::to_string(rows) + " rows and " + std::to_string(cols) +
                     " columns; neither may be negative, and at most 2^32 - 1 rows and 2^31 - 1 columns are "
                     "possible");
}

void SparseMatrix::check_array(const void* array, const char* name) {
    if (array == nullptr)
        throw InputError(std::string("sparse matrix: ") + name + " is a null pointer; hand over the array");
}

void SparseMatrix::begin(std::int64_t rows, std::int64_t cols) {
    inside_ = std::make_shared<Inside>();
    spmv::Csr& a = *inside_->pattern;
    a.rows = rows;
    a.cols = cols;
    a.row_begin.clear();
    reserve(a.row_begin, static_cast<std::size_t>(rows) + 1);
}

void SparseMatrix::add_rows(const std::int64_t* begin, std::int64_t length) {
    std::vector<std::int64_t>& all = inside_->pattern->row_begin;
    for (std::int64_t i = 0; i < length; ++i) {
        const std::size_t row = all.size();
        if (row == 0 ? begin[i] == 0 : begin[i] >= all.back()) {
            all.push_back(begin[i]);
            continue;
        }
        throw InputError("sparse matrix: row " + std::to_string(row) + " begins at entry " +
                         std::to_string(begin[i]) +
                         (row == 0 ? "; the first row begins at the first entry, so check the base (0 or 1)"
                                   : ", before the row above it; row_begin must not descend"));
    }
}

std::int64_t SparseMatrix::rows_end() const {
    return inside_->pattern->row_begin.back();
}

bool SparseMatrix::can_view(std::int64_t given, const std::uint32_t* column, const double* value) {
    if (given == 0 || column == nullptr || value == nullptr) return false;
    const spmv::Csr& a = *inside_->pattern;
    const auto length = static_cast<std::size_t>(given);
    const spmv::CsrView view{a.rows, a.cols, a.row_begin, {column, length}, {value, length}};
    // Before a column is looked at: where row_begin is something else than it should be, there may be none.
    for (std::int64_t row = 0; row < view.rows; ++row) {
        if (view.row_length(row) > view.cols) return false;
    }
    if (!rows_ascend(view) || !rows_end_inside(view) || !all_finite(value, given)) return false;
    inside_->csr = view;
    return true;
}

void SparseMatrix::begin_entries(std::int64_t given) {
    reserve(inside_->pattern->column, static_cast<std::size_t>(given));
    reserve(inside_->value, static_cast<std::size_t>(given));
}

void SparseMatrix::add_entries(const std::int64_t* column, const double* value, std::int64_t length) {
    spmv::Csr& a = *inside_->pattern;
    const auto is_fine = [&](std::int64_t k) {
        return int{column[k] >= 0} & int{column[k] < a.cols} & int{std::isfinite(value[k])};
    };
    int fine = 1;
    for (std::int64_t k = 0; k < length; ++k) fine &= is_fine(k);
    for (std::int64_t k = 0; fine == 0; ++k) {
        if (is_fine(k) == 0) refuse(a, column[k], static_cast<std::int64_t>(a.column.size()) + k);
    }
    a.column.insert(a.column.end(), column, column + length);
    inside_->value.insert(inside_->value.end(), value, value + length);
}

void SparseMatrix::finish() {
    spmv::Csr& a = *inside_->pattern;
    if (!rows_ascend(a.view())) inside_->places = std::make_shared<EntryPlaces>(tidy(a, inside_->value));
    inside_->csr = {a.rows, a.cols, a.row_begin, a.column, inside_->value};
}

SparseMatrix SparseMatrix::read(const std::string& file) {
    SparseMatrix matrix;
    matrix.inside_ = std::make_shared<Inside>();
    *matrix.inside_->pattern = spmv::read_matrix_market(file).matrix;
    matrix.inside_->value = std::move(matrix.inside_->pattern->value);
    matrix.inside_->pattern->value.clear();
    matrix.finish();
    return matrix;
}

std::int64_t SparseMatrix::rows() const {
    return inside_->csr.rows;
}
std::int64_t SparseMatrix::cols() const {
    return inside_->csr.cols;
}
std::int64_t SparseMatrix::stored() const {
    return inside_->csr.stored();
}
std::int64_t SparseMatrix::given() const {
    return inside_->places ? static_cast<std::int64_t>(inside_->places->size()) : stored();
}

}  // namespace rooftune
