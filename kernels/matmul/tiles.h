// The register tiles that are compiled in, for each vector width. A tile of `vectors` × lanes columns
// keeps mr·vectors accumulators, `vectors` of B and one broadcast of A in registers: 32 of them with
// 512-bit vectors, 16 else.
#pragma once

#include <cstdint>
#include <span>

#include "models/vocabulary.h"

namespace rooftune::matmul {

/// mr rows × `vectors` vectors; `most_unroll` is the largest unrolling of k that is compiled.
struct TileShape {
    int mr = 1;
    int vectors = 1;
    int most_unroll = 1;
    bool operator==(const TileShape&) const = default;
};

/// The tiles of a vector width (element bits: scalar code).
std::span<const TileShape> tiles_of(DType dtype, int width_bits);

/// Rows of the kernel that takes `rows` rows left over below a tile: of the tiles with as many vectors
/// and at most as tall, the shortest that covers them.
int height_for(std::span<const TileShape> tiles, const TileShape& tile, std::int64_t rows);

// Tall tiles first within a number of vectors: the shorter ones also take the rows that are left over.
// X(mr, vectors, most_unroll)
#define ROOFTUNE_MATMUL_TILES_512(X) \
    X(28, 1, 2)                      \
    X(16, 1, 2)                      \
    X(8, 1, 4)                       \
    X(1, 1, 4)                       \
    X(14, 2, 2)                      \
    X(12, 2, 2)                      \
    X(8, 2, 2)                       \
    X(6, 2, 2)                       \
    X(4, 2, 4)                       \
    X(2, 2, 4)                       \
    X(9, 3, 2)                       \
    X(8, 3, 2)                       \
    X(4, 3, 2)                       \
    X(6, 4, 2)                       \
    X(4, 4, 2)                       \
    X(1, 4, 4)
#define ROOFTUNE_MATMUL_TILES_256(X) \
    X(12, 1, 2)                      \
    X(8, 1, 2)                       \
    X(4, 1, 4)                       \
    X(1, 1, 4)                       \
    X(6, 2, 2)                       \
    X(4, 2, 4)                       \
    X(2, 2, 4)                       \
    X(4, 3, 2)                       \
    X(2, 3, 2)
#define ROOFTUNE_MATMUL_TILES_128(X) \
    X(8, 1, 2)                       \
    X(6, 2, 2)                       \
    X(4, 2, 2)                       \
    X(1, 2, 2)
#define ROOFTUNE_MATMUL_TILES_SCALAR(X) \
    X(4, 4, 2)                          \
    X(2, 4, 2)                          \
    X(1, 1, 2)

}  // namespace rooftune::matmul
