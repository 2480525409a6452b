// OpenCL C of one tiled matrix product. A work item computes a tile of C in registers, a work-group the
// tile of all its items; operands come from global memory or, block of k by block of k, through local memory.
#pragma once

#include <cstdint>
#include <string>

#include "models/vocabulary.h"

namespace rooftune::matmul {

struct OpenclTile {
    DType dtype = DType::f64;
    bool transpose_a = false, transpose_b = false;
    int vector = 1;           ///< columns of one vector
    int item_rows = 1;        ///< rows of an item's tile
    int item_vectors = 1;     ///< columns of an item's tile, in vectors
    int group_rows = 1;       ///< items of a group, one below the other
    int group_columns = 1;    ///< items of a group, side by side
    int unroll = 1;           ///< steps of k in one turn of the loop
    bool interleave = false;  ///< an item's vectors lie a vector of every item apart, not side by side
    bool rows_first = false;  ///< neighbouring groups are below each other, not side by side
    bool local_a = false, local_b = false;
    int k_block = 16;  ///< steps of k in local memory, a multiple of unroll

    int rows() const { return item_rows * group_rows; }  ///< of a group's tile
    int columns() const { return item_vectors * vector * group_columns; }
    int items() const { return group_rows * group_columns; }
    /// Bytes of local memory.
    double local_bytes() const;
    /// Work-groups that cover m × n.
    std::int64_t groups_down(std::int64_t m) const { return (m + rows() - 1) / rows(); }
    std::int64_t groups_across(std::int64_t n) const { return (n + columns() - 1) / columns(); }
};

/// Source of `__kernel void product(A, B, C, c_at, m, n, k, alpha, beta)`: C begins c_at elements into its
/// buffer; sizes are ints, factors of the element type; dimension 0 of the range goes along a row of C.
/// Any m and k; n is at least tile.vector. At the edges rows and vectors outside C are moved inside (so
/// that every load is of an element that is there) and computed but not stored.
std::string opencl_source(const OpenclTile& tile);

/// One work item an element of C, and nothing else: what a textbook shows. The same arguments.
std::string opencl_naive_source(DType dtype, bool transpose_a, bool transpose_b);

}  // namespace rooftune::matmul
