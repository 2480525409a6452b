// Values and indices of a converted matrix, group by group, so that each thread can write its own.
#pragma once

#include <cstdint>

#include "kernels/sparse/csr.h"
#include "kernels/spmv/layout.h"
#include "kernels/spmv/sparse.h"

namespace rooftune::spmv {

/// Writes the values and indices of groups g0 … g1−1 into the whole arrays of the layout. T is float
/// or double, Index std::uint32_t or std::uint16_t as layout.key.index_bits says. BCSR blocks are
/// stored column by column; absent entries of blocks and of chunks are 0, and a chunk's padding
/// repeats a column that the chunk touches anyway.
template <typename T, typename Index>
void fill_groups(const CsrView& a, const Layout& layout, std::int64_t g0, std::int64_t g1, T* values,
                 Index* indices);

}  // namespace rooftune::spmv
