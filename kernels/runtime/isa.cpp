#include "kernels/runtime/isa.h"

#include <hwy/targets.h>

#include <string>

#include "kernels/runtime/error.h"

// Compiled for a baseline above SSE4 (-march), Highway leaves the sets below it out.
#if !(HWY_TARGETS & HWY_SSE4) || !(HWY_TARGETS & HWY_AVX2) || !(HWY_TARGETS & HWY_AVX3)
#error "Build without -march: the kernels choose their instruction set at run time"
#endif

namespace rooftune {

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

}  // namespace rooftune
