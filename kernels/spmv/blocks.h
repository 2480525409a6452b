// The blocks of a block row, in ascending order, and the entries in each: a merge of the sorted rows, whose
// number the compiler knows. Entries are told one by one: with the first and last of each row in a block
// instead, filling 2×2 blocks took half as much time again (ship_001_mesh, 4.6 million entries; 5.0 and 3.5
// ns an entry). A merge of unequal rows without any branch was slower than one whose branches are
// mispredicted (9.5 and 5.3 ns, poisson27).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "kernels/sparse/csr.h"
#include "kernels/spmv/formats.h"
#include "kernels/spmv/sparse.h"

namespace rooftune::spmv {

/// Divides columns by the width of a block with one multiplication: a division by a number that the compiler
/// does not know takes longer than all else that is done with an entry.
class ColumnBlocks {
public:
    explicit ColumnBlocks(int width)
        : width_(static_cast<std::uint32_t>(width)), reciprocal_(reciprocal_of(width_)) {}

    /// Of a column below 2^31. With reciprocal × width = 2^33 + e, the quotient is right for every column of
    /// which column × e < 2^33, which exact() asks of the greatest.
    std::uint32_t block_of(std::uint32_t column) const {
        return static_cast<std::uint32_t>((column * reciprocal_) >> kShift);
    }
    std::uint32_t width() const { return width_; }

    static constexpr bool exact(int width) {
        const std::uint64_t reciprocal = reciprocal_of(static_cast<std::uint64_t>(width));
        const std::uint64_t excess = reciprocal * static_cast<std::uint64_t>(width) - kOne;
        return excess * kGreatest < kOne && reciprocal <= UINT64_MAX / kGreatest;
    }

private:
    static constexpr int kShift = 33;
    static constexpr std::uint64_t kOne = std::uint64_t{1} << kShift;
    static constexpr std::uint64_t kGreatest = (std::uint64_t{1} << 31) - 1;

    static constexpr std::uint64_t reciprocal_of(std::uint64_t width) { return (kOne - 1) / width + 1; }

    std::uint32_t width_;
    std::uint64_t reciprocal_;
};

inline constexpr int kTallestBlock = 8;
static_assert(std::ranges::all_of(kBlockShapes, [](BlockShape shape) {
    return shape.rows <= kTallestBlock && ColumnBlocks::exact(shape.cols);
}));

/// each_entry() of a block row of kRows rows with the same columns, as the unknowns of a finite element's
/// node have: one row is looked at instead of all. Which block an entry lies in is an addition and no branch.
template <int kRows, typename Block, typename Entry>
void each_entry_of_equal_rows(std::span<const std::uint32_t> columns, ColumnBlocks blocks,
                              const std::int64_t* begin, Block&& block, Entry&& entry) {
    std::int64_t met = -1;
    std::uint32_t last = UINT32_MAX;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const std::uint32_t of = blocks.block_of(columns[k]);
        met += of != last;
        last = of;
        block(met, of);
        for (int i = 0; i < kRows; ++i)
            entry(met, i, columns[k] - of * blocks.width(), begin[i] + static_cast<std::int64_t>(k));
    }
}

/// each_entry() of a block row of kRows rows.
template <int kRows, typename Block, typename Entry>
void each_entry_of_rows(const CsrView& a, ColumnBlocks blocks, std::int64_t first_row, Block&& block,
                        Entry&& entry) {
    constexpr std::uint32_t kNone = UINT32_MAX;  // a column has 31 bits
    std::int64_t end[kRows], stop[kRows];
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
    if (equal == kRows) return each_entry_of_equal_rows<kRows>(columns_of(0), blocks, end, block, entry);

    const std::uint32_t* const column = a.column.data();
    std::uint32_t next[kRows];
    const auto look = [&](int i) { return end[i] < stop[i] ? column[end[i]] : kNone; };
    for (int i = 0; i < kRows; ++i) next[i] = look(i);
    for (std::int64_t met = 0;; ++met) {
        const std::uint32_t least = *std::min_element(next, next + kRows);
        if (least == kNone) return;
        const std::uint32_t of = blocks.block_of(least), first = of * blocks.width();
        const std::uint32_t limit = first + blocks.width();
        block(met, of);
        for (int i = 0; i < kRows; ++i) {
            while (next[i] < limit) {
                entry(met, i, next[i] - first, end[i]);
                ++end[i];
                next[i] = look(i);
            }
        }
    }
}

/// Calls block(n, block_column) for the n-th block (from 0) that holds a stored entry, ascending, once or
/// several times in a row, and entry(n, i, j, k) for the stored entry k of the matrix, which is row i, column
/// j of the n-th block. The order of the entries is not stated, but none comes before its block.
template <typename Block, typename Entry>
void each_entry(const CsrView& a, BlockShape shape, std::int64_t group, Block&& block, Entry&& entry) {
    const std::int64_t first_row = group * shape.rows;
    const ColumnBlocks blocks(shape.cols);
    switch (std::min<std::int64_t>(shape.rows, a.rows - first_row)) {
        case 1:
            return each_entry_of_rows<1>(a, blocks, first_row, block, entry);
        case 2:
            return each_entry_of_rows<2>(a, blocks, first_row, block, entry);
        case 3:
            return each_entry_of_rows<3>(a, blocks, first_row, block, entry);
        case 4:
            return each_entry_of_rows<4>(a, blocks, first_row, block, entry);
        case 5:
            return each_entry_of_rows<5>(a, blocks, first_row, block, entry);
        case 6:
            return each_entry_of_rows<6>(a, blocks, first_row, block, entry);
        case 7:
            return each_entry_of_rows<7>(a, blocks, first_row, block, entry);
        case kTallestBlock:
            return each_entry_of_rows<kTallestBlock>(a, blocks, first_row, block, entry);
        default:
            return;
    }
}

/// Calls visit(block_column) for each block that holds a stored entry, ascending.
template <typename Visit>
void each_block(const CsrView& a, BlockShape shape, std::int64_t group, Visit&& visit) {
    std::int64_t seen = 0;
    const auto once = [&](std::int64_t n, std::uint32_t block) {
        if (n < seen) return;
        ++seen;
        visit(std::int64_t{block});
    };
    each_entry(a, shape, group, once, [](std::int64_t, int, std::uint32_t, std::int64_t) {});
}

}  // namespace rooftune::spmv
