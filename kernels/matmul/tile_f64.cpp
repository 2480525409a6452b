// Tile kernels, doubles.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/matmul/tile_f64.cpp"
#include <hwy/foreach_target.h>

#include "kernels/matmul/select.h"
#include "kernels/matmul/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::matmul::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR
TileKernel tile_f64(const TileKey& key) {
    return tile_kernel<double>(key);
}
#endif
}  // namespace rooftune::matmul::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
