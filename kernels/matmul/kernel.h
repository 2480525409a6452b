// What a compiled tile kernel looks like from outside, and how one is found. The kernels themselves are
// in tile-inl.h, written once and compiled for three instruction sets.
#pragma once

#include <cstdint>

#include "kernels/runtime/isa.h"
#include "models/vocabulary.h"

namespace rooftune::matmul {

/// One tile of C: mr × nr elements at c, each alpha·Σ a·b + beta·c over `steps` steps of k. Strides are
/// in elements of the kernel's type.
struct TileArguments {
    const void* a = nullptr;
    std::int64_t a_row = 1;   ///< from one row to the next; 1 where rows are `unit`
    std::int64_t a_step = 1;  ///< from one step of k to the next
    const void* b = nullptr;
    std::int64_t b_step = 1;
    void* c = nullptr;
    std::int64_t c_row = 1;
    std::int64_t steps = 0;
    double alpha = 1.0;
    double beta = 0.0;       ///< with 0, c is not read
    std::int64_t ahead = 0;  ///< steps that A and B are prefetched ahead; 0: none
    bool prefetch_c = false;
};
using TileKernel = void (*)(const TileArguments& tile);

/// How a tile kernel finds the mr elements of A that one step needs.
enum class RowsOfA {
    unit,     ///< side by side: A is packed, or stored transposed
    strided,  ///< a_row apart: A as it is stored
};

/// What is compiled in. Everything else about a variant is a run-time argument.
struct TileKey {
    DType dtype = DType::f64;
    int lanes = 1;    ///< 1: scalar code
    int mr = 1;       ///< rows of the tile
    int vectors = 1;  ///< columns of the tile, in vectors
    int unroll = 1;   ///< steps of k in one turn of the loop
    RowsOfA rows = RowsOfA::unit;
};

/// nullptr when there is no such kernel.
TileKernel find_tile_kernel(Isa isa, const TileKey& key);

/// Copies `steps` × `count` elements into a panel: out[p·width + i] = in[p·ld + i], with zeros for
/// count ≤ i < width.
using PackRows = void (*)(const void* in, std::int64_t ld, std::int64_t count, std::int64_t steps,
                          std::int64_t width, void* out);
/// The same from the transposed: out[p·width + i] = in[i·ld + p].
using PackColumns = PackRows;

struct Packers {
    PackRows rows = nullptr;
    PackColumns columns = nullptr;
};
Packers find_packers(Isa isa, DType dtype);

}  // namespace rooftune::matmul
