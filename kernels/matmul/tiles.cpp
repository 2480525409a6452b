#include "kernels/matmul/tiles.h"

#include <array>

namespace rooftune::matmul {
namespace {

#define ROOFTUNE_MATMUL_SHAPE(rows, columns, most) TileShape{rows, columns, most},
constexpr std::array kTiles512{ROOFTUNE_MATMUL_TILES_512(ROOFTUNE_MATMUL_SHAPE)};
constexpr std::array kTiles256{ROOFTUNE_MATMUL_TILES_256(ROOFTUNE_MATMUL_SHAPE)};
constexpr std::array kTiles128{ROOFTUNE_MATMUL_TILES_128(ROOFTUNE_MATMUL_SHAPE)};
constexpr std::array kTilesScalar{ROOFTUNE_MATMUL_TILES_SCALAR(ROOFTUNE_MATMUL_SHAPE)};
#undef ROOFTUNE_MATMUL_SHAPE

}  // namespace

std::span<const TileShape> tiles_of(DType dtype, int width_bits) {
    if (width_bits == 8 * static_cast<int>(size_of(dtype))) return kTilesScalar;
    if (width_bits == 128) return kTiles128;
    if (width_bits == 256) return kTiles256;
    return kTiles512;
}

int height_for(std::span<const TileShape> tiles, const TileShape& tile, std::int64_t rows) {
    int height = tile.mr;
    for (const TileShape& other : tiles) {
        if (other.vectors == tile.vectors && other.mr >= rows && other.mr < height) height = other.mr;
    }
    return height;
}

}  // namespace rooftune::matmul
