// The formats of the space and what identifies one converted matrix. A *row group* is one row (CSR),
// r rows (BCSR) or C rows (SELL). A *segment* is a run of steps of one group whose indices share a
// base; a *step* is one stored entry (CSR), one r×c block (BCSR) or one column of a chunk (SELL).
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>

namespace rooftune::spmv {

enum class Format { csr, bcsr, sell };

struct BlockShape {
    int rows = 1;
    int cols = 1;
    auto operator<=>(const BlockShape&) const = default;
};

std::string to_text(BlockShape shape);

/// Register blocks there is code for. Heights up to one AVX-512 vector of doubles; 3 and 6 because
/// finite elements have three unknowns a node.
inline constexpr std::array<BlockShape, 14> kBlockShapes{{{2, 1},
                                                          {2, 2},
                                                          {2, 4},
                                                          {3, 1},
                                                          {3, 3},
                                                          {4, 1},
                                                          {4, 2},
                                                          {4, 4},
                                                          {6, 3},
                                                          {6, 6},
                                                          {8, 1},
                                                          {8, 2},
                                                          {8, 4},
                                                          {8, 8}}};

/// Heights C of a SELL chunk.
inline constexpr std::array<int, 5> kChunks{4, 8, 16, 32, 64};

/// Columns (block columns for BCSR) that a 16-bit index reaches from its segment's base.
inline constexpr std::int64_t kShortReach = 65536;

/// Everything that decides the bytes of a converted matrix, the element type aside.
struct FormatKey {
    Format format = Format::csr;
    BlockShape block{};      ///< BCSR only
    int chunk = 1;           ///< SELL only
    std::int64_t sigma = 1;  ///< SELL only: rows are sorted by length within windows of this many
    int index_bits = 32;

    auto operator<=>(const FormatKey&) const = default;

    int group_rows() const { return format == Format::csr ? 1 : format == Format::bcsr ? block.rows : chunk; }
    /// Stored values a step.
    int step_values() const {
        return format == Format::csr ? 1 : format == Format::bcsr ? block.rows * block.cols : chunk;
    }
    /// Stored indices a step.
    int step_indices() const { return format == Format::sell ? chunk : 1; }
};

}  // namespace rooftune::spmv
