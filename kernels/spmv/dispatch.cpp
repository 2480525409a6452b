// From run-time values to a compiled kernel.
#include <hwy/targets.h>

#include <string>

#include "kernels/runtime/error.h"
#include "kernels/spmv/select.h"

// Compiled for a baseline above SSE4 (-march), Highway leaves the sets below it out.
#if !(HWY_TARGETS & HWY_SSE4) || !(HWY_TARGETS & HWY_AVX2) || !(HWY_TARGETS & HWY_AVX3)
#error "Build without -march: the kernels choose their instruction set at run time"
#endif

namespace rooftune::spmv {

Isa choose_isa(const std::vector<int>& width_bits) {
    const int widest = width_bits.empty() ? 0 : width_bits.back();
    const auto supported = hwy::SupportedTargets();
    const Isa isa = widest >= 512 ? Isa::avx3 : widest >= 256 ? Isa::avx2 : Isa::sse4;
    const auto needed = isa == Isa::avx3 ? HWY_AVX3 : isa == Isa::avx2 ? HWY_AVX2 : HWY_SSE4;
    if ((supported & needed) == 0) {
        throw EnvironmentError("this CPU has no " + std::string(hwy::TargetName(needed)) +
                               " instructions, which vectors of " + std::to_string(widest) +
                               " bits need; set ROOFTUNE_MAX_WIDTH to a smaller width");
    }
    return isa;
}

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

}  // namespace rooftune::spmv
