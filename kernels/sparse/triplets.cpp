#include "kernels/sparse/triplets.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace rooftune::sparse {
namespace {

/// Calls place(row, col, value) for every entry of the full matrix.
template <typename Place>
void for_each_in_full(const Triplets& entries, Mirror mirror, Place place) {
    const std::size_t count = entries.size();
    if (mirror == Mirror::none) {
        for (std::size_t k = 0; k < count; ++k) place(entries.row[k], entries.col[k], entries.value[k]);
        return;
    }
    const double sign = mirror == Mirror::same ? 1.0 : -1.0;
    for (std::size_t k = 0; k < count; ++k) {
        const std::uint32_t row = entries.row[k];
        const std::uint32_t col = entries.col[k];
        place(row, col, entries.value[k]);
        if (row != col) place(col, row, sign * entries.value[k]);
    }
}

bool strictly_ascending(const std::uint32_t* begin, const std::uint32_t* end) {
    return std::adjacent_find(begin, end, [](std::uint32_t a, std::uint32_t b) { return a >= b; }) == end;
}

/// Files sorted by column or by row arrive here in order already; only others pay for the sort.
std::optional<Duplicate> sort_rows(Csr& matrix) {
    std::vector<std::pair<std::uint32_t, double>> row_entries;
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
        const auto begin = static_cast<std::size_t>(matrix.row_begin[static_cast<std::size_t>(row)]);
        const auto end = static_cast<std::size_t>(matrix.row_begin[static_cast<std::size_t>(row) + 1]);
        if (strictly_ascending(matrix.column.data() + begin, matrix.column.data() + end)) continue;
        row_entries.clear();
        for (std::size_t k = begin; k < end; ++k) row_entries.emplace_back(matrix.column[k], matrix.value[k]);
        std::sort(row_entries.begin(), row_entries.end(),
                  [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t k = begin; k < end; ++k) {
            std::tie(matrix.column[k], matrix.value[k]) = row_entries[k - begin];
            if (k > begin && matrix.column[k] == matrix.column[k - 1]) {
                return Duplicate{static_cast<std::uint32_t>(row), matrix.column[k]};
            }
        }
    }
    return std::nullopt;
}

}  // namespace

void Triplets::reserve(std::size_t entries) {
    row.reserve(entries);
    col.reserve(entries);
    value.reserve(entries);
}

std::int64_t stored_in_full(const Triplets& entries, Mirror mirror) {
    auto stored = static_cast<std::int64_t>(entries.size());
    if (mirror == Mirror::none) return stored;
    for (std::size_t k = 0; k < entries.size(); ++k) stored += entries.row[k] != entries.col[k];
    return stored;
}

Csr assemble(const Triplets& entries, std::int64_t rows, std::int64_t cols, Mirror mirror,
             std::optional<Duplicate>& duplicate) {
    Csr matrix;
    matrix.rows = rows;
    matrix.cols = cols;
    // Two places further than a plain count: after the prefix sum begin[r + 1] is where row r starts,
    // scattering moves it to where row r ends, and begin[r] is then the start again.
    auto& begin = matrix.row_begin;
    begin.assign(static_cast<std::size_t>(rows) + 2, 0);
    for_each_in_full(entries, mirror,
                     [&](std::uint32_t row, std::uint32_t, double) { ++begin[std::size_t{row} + 2]; });
    for (std::size_t r = 2; r < begin.size(); ++r) begin[r] += begin[r - 1];
    const auto stored = static_cast<std::size_t>(begin.back());
    matrix.column.resize(stored);
    matrix.value.resize(stored);
    for_each_in_full(entries, mirror, [&](std::uint32_t row, std::uint32_t col, double value) {
        const auto at = static_cast<std::size_t>(begin[std::size_t{row} + 1]++);
        matrix.column[at] = col;
        matrix.value[at] = value;
    });
    begin.pop_back();
    duplicate = sort_rows(matrix);
    return matrix;
}

}  // namespace rooftune::sparse
