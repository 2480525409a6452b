// From run-time values to a compiled kernel.
#include "kernels/stencil/select.h"

namespace rooftune::stencil {

#define ROOFTUNE_STENCIL_SELECT(target)                                                \
    if (key.points == 7) return f64 ? target::rows7_f64(key) : target::rows7_f32(key); \
    return f64 ? target::rows27_f64(key) : target::rows27_f32(key)

Kernel find_kernel(Isa isa, const KernelKey& key) {
    const bool f64 = key.dtype == DType::f64;
    if (isa == Isa::avx3) {
        ROOFTUNE_STENCIL_SELECT(N_AVX3);
    }
    if (isa == Isa::avx2) {
        ROOFTUNE_STENCIL_SELECT(N_AVX2);
    }
    ROOFTUNE_STENCIL_SELECT(N_SSE4);
}

#undef ROOFTUNE_STENCIL_SELECT

}  // namespace rooftune::stencil
