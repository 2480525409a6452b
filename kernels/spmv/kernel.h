// What a compiled kernel looks like from outside, and how one is found. The kernels themselves are
// in *-inl.h, written once and compiled for three instruction sets.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/runtime/isa.h"
#include "kernels/spmv/formats.h"
#include "models/vocabulary.h"

namespace rooftune::spmv {

inline constexpr int kMaxStreams = 8;

/// One stream of a thread: consecutive segments, and the step that the first begins at.
struct Walk {
    std::uint64_t step = 0;
    std::uint32_t segment = 0;
    std::uint32_t end = 0;
    bool operator==(const Walk&) const = default;
};

/// The converted matrix, x and y as a kernel sees them. `values` and `indices` must be readable one
/// full vector past their ends, x `block.cols` elements past its own.
struct KernelArguments {
    const void* values = nullptr;
    const void* indices = nullptr;
    /// segments + 1 entries: first step of a segment, its low 32 bits. A walk keeps the full
    /// position and adds differences, so only a segment of 2³² steps would not fit.
    const std::uint32_t* pointer = nullptr;
    const std::uint32_t* base = nullptr;    ///< of a segment, in columns or block columns; null: all 0
    const std::uint32_t* group = nullptr;   ///< of a segment; null: segment i is group i
    const std::uint32_t* row_of = nullptr;  ///< SELL: row of each sorted position; null: sorted = as given
    const void* x = nullptr;
    void* y = nullptr;
    std::int64_t rows = 0;
    std::int64_t chunk = 1;     ///< C
    std::int64_t prefetch = 0;  ///< bytes ahead in values and indices; 0: none
};

/// Computes the groups of `count` walks, one segment of each in turn.
using Kernel = void (*)(const KernelArguments& a, const Walk* walks, int count);

/// What is compiled in. Everything else about a variant is a run-time argument.
struct KernelKey {
    Format format = Format::csr;
    DType dtype = DType::f64;
    BlockShape block{};
    int index_bits = 32;
    int lanes = 1;  ///< 1: scalar code
    int unroll = 1;
    bool gathers = true;  ///< AVX3's CSR and SELL: as kernels_gather says; other sets have one way each
};

/// nullptr when there is no such kernel.
Kernel find_kernel(Isa isa, const KernelKey& key);

/// The textbook loop over CSR with 32-bit indices, in plain C++: the reference kept for ever.
Kernel naive_kernel(DType dtype);

/// Widest power of two of rows that one vector of a BCSR kernel can use for blocks of r rows.
constexpr int block_lanes_most(int block_rows) {
    return block_rows <= 2 ? 2 : block_rows <= 4 ? 4 : 8;
}

/// Lanes that a BCSR kernel uses of a register of `lanes`: rows beyond the block are not loaded.
constexpr int block_lanes(int block_rows, int lanes) {
    return lanes < block_lanes_most(block_rows) ? lanes : block_lanes_most(block_rows);
}

/// Whether BCSR code exists for this width: the narrowest vectors always do, wider ones while a
/// block's rows fill more than half of them.
constexpr bool block_width_fits(int block_rows, int lanes, int width_bits) {
    return lanes == 1 || width_bits == 128 || lanes <= block_lanes_most(block_rows);
}

/// Whether BCSR code exists with two sets of accumulators: where one vector covers the block's rows.
constexpr bool block_unrolls(int block_rows, int lanes) {
    return lanes > 1 && block_lanes(block_rows, lanes) >= block_rows;
}

}  // namespace rooftune::spmv
