// The blocks of a block row, in ascending order: a merge of the sorted rows, whose number the compiler knows.
// With a number that it does not know, and without looking for equal rows, new values for 2×2 blocks took a
// quarter more time (ship_001_mesh, 4.6 million entries); with the width known as well it got no faster.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>

#include "kernels/sparse/csr.h"
#include "kernels/spmv/formats.h"
#include "kernels/spmv/sparse.h"

namespace rooftune::spmv {

/// each_block() of a block row of kRows rows with the same columns, as the unknowns of a finite element's
/// node have: one row is looked at instead of all.
template <int kRows, typename Visit>
void each_block_of_equal_rows(std::span<const std::uint32_t> columns, std::uint32_t width,
                              const std::int64_t* first, Visit&& visit) {
    const auto length = static_cast<std::int64_t>(columns.size());
    std::int64_t begin[kRows], end[kRows];
    for (std::int64_t k = 0; k < length;) {
        const std::uint32_t block = columns[static_cast<std::size_t>(k)] / width;
        const std::uint32_t limit = (block + 1) * width;
        for (int i = 0; i < kRows; ++i) begin[i] = first[i] + k;
        do {
            ++k;
        } while (k < length && columns[static_cast<std::size_t>(k)] < limit);
        for (int i = 0; i < kRows; ++i) end[i] = first[i] + k;
        visit(std::int64_t{block}, static_cast<const std::int64_t*>(begin),
              static_cast<const std::int64_t*>(end), std::integral_constant<int, kRows>());
    }
}

/// each_block() of a block row of kRows rows.
template <int kRows, typename Visit>
void each_block_of(const CsrView& a, std::uint32_t width, std::int64_t first_row, Visit&& visit) {
    constexpr std::uint32_t kNone = UINT32_MAX;  // a column has 31 bits
    std::int64_t begin[kRows], end[kRows], stop[kRows];
    for (int i = 0; i < kRows; ++i) {
        end[i] = a.row_begin[static_cast<std::size_t>(first_row + i)];
        stop[i] = a.row_begin[static_cast<std::size_t>(first_row + i) + 1];
    }
    const auto columns_of = [&](int i) {
        return a.column.subspan(static_cast<std::size_t>(end[i]), static_cast<std::size_t>(stop[i] - end[i]));
    };
    const auto like_first = [&](int i) { return std::ranges::equal(columns_of(0), columns_of(i)); };
    int equal = 1;
    while (equal < kRows && like_first(equal)) ++equal;
    if (equal == kRows) return each_block_of_equal_rows<kRows>(columns_of(0), width, end, visit);

    const std::uint32_t* const column = a.column.data();
    std::uint32_t next[kRows];
    const auto look = [&](int i) { return end[i] < stop[i] ? column[end[i]] : kNone; };
    for (int i = 0; i < kRows; ++i) next[i] = look(i);
    for (;;) {
        const std::uint32_t first = *std::min_element(next, next + kRows);
        if (first == kNone) return;
        const std::uint32_t block = first / width;
        const std::uint32_t limit = (block + 1) * width;
        for (int i = 0; i < kRows; ++i) {
            begin[i] = end[i];
            while (next[i] < limit) {
                ++end[i];
                next[i] = look(i);
            }
        }
        visit(std::int64_t{block}, static_cast<const std::int64_t*>(begin),
              static_cast<const std::int64_t*>(end), std::integral_constant<int, kRows>());
    }
}

/// Calls visit(block_column, begin, end, rows) for each block that holds a stored entry; entries
/// begin[i] … end[i]−1 of the matrix are those of the block's row i < rows, a constant: those that exist.
template <typename Visit>
void each_block(const CsrView& a, BlockShape shape, std::int64_t group, Visit&& visit) {
    const std::int64_t first_row = group * shape.rows;
    const auto width = static_cast<std::uint32_t>(shape.cols);
    switch (std::min<std::int64_t>(shape.rows, a.rows - first_row)) {
        case 1:
            return each_block_of<1>(a, width, first_row, visit);
        case 2:
            return each_block_of<2>(a, width, first_row, visit);
        case 3:
            return each_block_of<3>(a, width, first_row, visit);
        case 4:
            return each_block_of<4>(a, width, first_row, visit);
        case 5:
            return each_block_of<5>(a, width, first_row, visit);
        case 6:
            return each_block_of<6>(a, width, first_row, visit);
        case 7:
            return each_block_of<7>(a, width, first_row, visit);
        case 8:
            return each_block_of<8>(a, width, first_row, visit);
        default:
            return;
    }
}

}  // namespace rooftune::spmv
