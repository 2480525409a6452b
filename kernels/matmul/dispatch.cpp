// From run-time values to compiled code.
#include "kernels/matmul/select.h"

namespace rooftune::matmul {

TileKernel find_tile_kernel(Isa isa, const TileKey& key) {
    const bool f64 = key.dtype == DType::f64;
    if (isa == Isa::avx3) return f64 ? N_AVX3::tile_f64(key) : N_AVX3::tile_f32(key);
    if (isa == Isa::avx2) return f64 ? N_AVX2::tile_f64(key) : N_AVX2::tile_f32(key);
    return f64 ? N_SSE4::tile_f64(key) : N_SSE4::tile_f32(key);
}

Packers find_packers(Isa isa, DType dtype) {
    if (isa == Isa::avx3) return N_AVX3::packers(dtype);
    if (isa == Isa::avx2) return N_AVX2::packers(dtype);
    return N_SSE4::packers(dtype);
}

}  // namespace rooftune::matmul
