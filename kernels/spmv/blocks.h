// The blocks of a block row, in ascending order: a merge of the r sorted rows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/sparse/csr.h"
#include "kernels/spmv/formats.h"
#include "kernels/spmv/sparse.h"

namespace rooftune::spmv {

/// Calls visit(block_column, begin, end) for each block that holds a stored entry; entries
/// begin[i] … end[i]−1 of the matrix are those of the block's row i (i < rows that exist).
template <typename Visit>
void each_block(const CsrView& a, BlockShape shape, std::int64_t group, Visit&& visit) {
    constexpr int kMostRows = 8;
    constexpr std::int64_t kNone = INT64_MAX;
    const std::int64_t first_row = group * shape.rows;
    const int rows = static_cast<int>(std::min<std::int64_t>(shape.rows, a.rows - first_row));
    const std::uint32_t* column = a.column.data();
    std::int64_t begin[kMostRows];
    std::int64_t end[kMostRows];
    std::int64_t stop[kMostRows];
    for (int i = 0; i < rows; ++i) {
        end[i] = a.row_begin[static_cast<std::size_t>(first_row + i)];
        stop[i] = a.row_begin[static_cast<std::size_t>(first_row + i) + 1];
    }
    for (;;) {
        std::int64_t next = kNone;
        for (int i = 0; i < rows; ++i) {
            if (end[i] < stop[i]) next = std::min<std::int64_t>(next, column[end[i]]);
        }
        if (next == kNone) return;
        const std::int64_t block = next / shape.cols;
        const std::int64_t limit = (block + 1) * shape.cols;
        for (int i = 0; i < rows; ++i) {
            begin[i] = end[i];
            while (end[i] < stop[i] && column[end[i]] < limit) ++end[i];
        }
        visit(block, begin, end);
    }
}

}  // namespace rooftune::spmv
