// Builds compressed rows on all processors from two functions of the row: how long it is, and what
// is in it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/sparse/csr.h"
#include "kernels/sparse/parts.h"

namespace rooftune::sparse {

/// Calls body(first, last) for ranges that cover [0, count), on all processors of the caller.
template <typename Body>
void for_ranges(std::int64_t count, Body body) {
    // Below this, starting a thread takes longer than the rows.
    constexpr std::int64_t kFewestRowsAThread = 4096;
    const std::int64_t threads = std::clamp(count / kFewestRowsAThread, std::int64_t{1}, usable_processors());
    std::vector<std::int64_t> cuts;
    for (std::int64_t part = 0; part <= threads; ++part) cuts.push_back(count * part / threads);
    for_parts(cuts, [&](std::size_t, std::int64_t first, std::int64_t last) { body(first, last); });
}

/// length(row) entries a row; fill(row, columns, values) writes them, columns ascending.
template <typename Length, typename Fill>
Csr build_rows(std::int64_t rows, std::int64_t cols, Length length, Fill fill) {
    Csr matrix;
    matrix.rows = rows;
    matrix.cols = cols;
    auto& begin = matrix.row_begin;
    begin.resize(static_cast<std::size_t>(rows) + 1);
    for (std::int64_t row = 0; row < rows; ++row) {
        begin[static_cast<std::size_t>(row) + 1] = begin[static_cast<std::size_t>(row)] + length(row);
    }
    matrix.column.resize(static_cast<std::size_t>(begin.back()));
    matrix.value.resize(static_cast<std::size_t>(begin.back()));
    for_ranges(rows, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t row = first; row < last; ++row) {
            const auto at = begin[static_cast<std::size_t>(row)];
            fill(row, matrix.column.data() + at, matrix.value.data() + at);
        }
    });
    return matrix;
}

}  // namespace rooftune::sparse
