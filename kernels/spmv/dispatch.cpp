// From run-time values to a compiled kernel.
#include "kernels/spmv/select.h"

namespace rooftune::spmv {

#define ROOFTUNE_SPMV_SELECT(target)                                                                    \
    switch (key.format) {                                                                               \
        case Format::csr:                                                                               \
            return f64 ? target::csr_f64(key) : target::csr_f32(key);                                   \
        case Format::sell:                                                                              \
            return f64 ? target::sell_f64(key) : target::sell_f32(key);                                 \
        case Format::bcsr:                                                                              \
            if (key.index_bits == 16) return f64 ? target::bcsr_f64_16(key) : target::bcsr_f32_16(key); \
            return f64 ? target::bcsr_f64_32(key) : target::bcsr_f32_32(key);                           \
    }                                                                                                   \
    return nullptr

Kernel find_kernel(Isa isa, const KernelKey& key) {
    const bool f64 = key.dtype == DType::f64;
    if (isa == Isa::avx3) {
        ROOFTUNE_SPMV_SELECT(N_AVX3);
    }
    if (isa == Isa::avx2) {
        ROOFTUNE_SPMV_SELECT(N_AVX2);
    }
    ROOFTUNE_SPMV_SELECT(N_SSE4);
}

#undef ROOFTUNE_SPMV_SELECT

MultivectorKernel find_multivector_kernel(Isa isa, DType dtype, const FormatKey& format, int vectors) {
    const bool f64 = dtype == DType::f64;
    switch (isa) {
        case Isa::avx3:
            return f64 ? N_AVX3::multivector_f64(format, vectors) : N_AVX3::multivector_f32(format, vectors);
        case Isa::avx2:
            return f64 ? N_AVX2::multivector_f64(format, vectors) : N_AVX2::multivector_f32(format, vectors);
        case Isa::sse4:
            return f64 ? N_SSE4::multivector_f64(format, vectors) : N_SSE4::multivector_f32(format, vectors);
    }
    return nullptr;
}

}  // namespace rooftune::spmv
