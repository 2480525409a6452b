// The entry points of the kernels' translation units, one namespace an instruction set as Highway
// names them. Only dispatch.cpp calls them.
#pragma once

#include "kernels/matmul/kernel.h"

#define ROOFTUNE_MATMUL_ENTRY_POINTS(target) \
    namespace rooftune::matmul::target {     \
    TileKernel tile_f64(const TileKey& key); \
    TileKernel tile_f32(const TileKey& key); \
    Packers packers(DType dtype);            \
    }

ROOFTUNE_MATMUL_ENTRY_POINTS(N_SSE4)
ROOFTUNE_MATMUL_ENTRY_POINTS(N_AVX2)
ROOFTUNE_MATMUL_ENTRY_POINTS(N_AVX3)

#undef ROOFTUNE_MATMUL_ENTRY_POINTS
