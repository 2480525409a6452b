// Divisions and square roots. They share one unit that is not fully pipelined: on most cores a new one starts
// every three to ten cycles, so that few chains fill it.
//
// The square root approaches 1 whatever it starts from; a longer way of keeping its bits irregular would add
// an instruction to the chain. Roots of one are the fastest that there are, and a ceiling is what is wanted.
#include "kernels/probe/compute_assembly.h"

namespace rooftune::probe {

#if defined(__x86_64__)
namespace {

#define ROOFTUNE_ROOT(op, r) op " %%" r "\\n, %%" r "\\n"
#define ROOFTUNE_SCALAR_ROOT(op) op " %%xmm\\n, %%xmm\\n, %%xmm\\n"

ROOFTUNE_VECTOR_CHAINS(DivideSs, "vmovss", "xmm", "", ROOFTUNE_A_BY_CHAIN("vdivss", "xmm"), "");
ROOFTUNE_VECTOR_CHAINS(DivideSd, "vmovsd", "xmm", "", ROOFTUNE_A_BY_CHAIN("vdivsd", "xmm"), "");
ROOFTUNE_AVX_CHAINS(DividePs128, "xmm", "", ROOFTUNE_A_BY_CHAIN("vdivps", "xmm"));
ROOFTUNE_AVX_CHAINS(DividePd128, "xmm", "", ROOFTUNE_A_BY_CHAIN("vdivpd", "xmm"));
ROOFTUNE_AVX_CHAINS(DividePs256, "ymm", "", ROOFTUNE_A_BY_CHAIN("vdivps", "ymm"));
ROOFTUNE_AVX_CHAINS(DividePd256, "ymm", "", ROOFTUNE_A_BY_CHAIN("vdivpd", "ymm"));
ROOFTUNE_AVX_CHAINS(DividePs512, "zmm", "", ROOFTUNE_A_BY_CHAIN("vdivps", "zmm"));
ROOFTUNE_AVX_CHAINS(DividePd512, "zmm", "", ROOFTUNE_A_BY_CHAIN("vdivpd", "zmm"));
ROOFTUNE_VECTOR_CHAINS(RootSs, "vmovss", "xmm", "", ROOFTUNE_SCALAR_ROOT("vsqrtss"), "");
ROOFTUNE_VECTOR_CHAINS(RootSd, "vmovsd", "xmm", "", ROOFTUNE_SCALAR_ROOT("vsqrtsd"), "");
ROOFTUNE_AVX_CHAINS(RootPs128, "xmm", "", ROOFTUNE_ROOT("vsqrtps", "xmm"));
ROOFTUNE_AVX_CHAINS(RootPd128, "xmm", "", ROOFTUNE_ROOT("vsqrtpd", "xmm"));
ROOFTUNE_AVX_CHAINS(RootPs256, "ymm", "", ROOFTUNE_ROOT("vsqrtps", "ymm"));
ROOFTUNE_AVX_CHAINS(RootPd256, "ymm", "", ROOFTUNE_ROOT("vsqrtpd", "ymm"));
ROOFTUNE_AVX_CHAINS(RootPs512, "zmm", "", ROOFTUNE_ROOT("vsqrtps", "zmm"));
ROOFTUNE_AVX_CHAINS(RootPd512, "zmm", "", ROOFTUNE_ROOT("vsqrtpd", "zmm"));

// SSE divides its first operand in place: the dividend is copied first.
#define ROOFTUNE_SSE_DIVIDE(op) \
    "movaps %%xmm12, %%xmm15\n\t" op " %%xmm\\n, %%xmm15\n\t movaps %%xmm15, %%xmm\\n"
ROOFTUNE_VECTOR_CHAINS(SseDivideSs, "movss", "xmm", "", ROOFTUNE_SSE_DIVIDE("divss"), "");
ROOFTUNE_VECTOR_CHAINS(SseDivideSd, "movsd", "xmm", "", ROOFTUNE_SSE_DIVIDE("divsd"), "");
ROOFTUNE_SSE_CHAINS(SseDividePs, ROOFTUNE_SSE_DIVIDE("divps"));
ROOFTUNE_SSE_CHAINS(SseDividePd, ROOFTUNE_SSE_DIVIDE("divpd"));
ROOFTUNE_VECTOR_CHAINS(SseRootSs, "movss", "xmm", "", ROOFTUNE_ROOT("sqrtss", "xmm"), "");
ROOFTUNE_VECTOR_CHAINS(SseRootSd, "movsd", "xmm", "", ROOFTUNE_ROOT("sqrtsd", "xmm"), "");
ROOFTUNE_SSE_CHAINS(SseRootPs, ROOFTUNE_ROOT("sqrtps", "xmm"));
ROOFTUNE_SSE_CHAINS(SseRootPd, ROOFTUNE_ROOT("sqrtpd", "xmm"));

template <class Kernel>
ChainForm form(DType dtype, int width_bits, Feature needs, std::string_view text) {
    ChainForm f;
    const bool divides = text.find("div") != std::string_view::npos;
    f.arithmetic = divides ? Arithmetic::divide : Arithmetic::root;
    f.mix = divides ? Mix::div : Mix::sqrt;
    f.dtype = dtype;
    f.width_bits = width_bits;
    f.needs = needs;
    f.replaced_by = needs == Feature::sse4 ? Feature::avx2 : Feature::sse4;
    f.text = text;
    f.operations = width_bits / (8.0 * static_cast<double>(size_of(dtype)));
    return with_kernels<Kernel>(f);
}

}  // namespace

std::vector<ChainForm> division_forms() {
    constexpr Feature kSse = Feature::sse4, kAvx = Feature::avx2, kWide = Feature::avx512;
    return {
        form<DivideSs>(DType::f32, 32, kAvx, "vdivss"),
        form<DivideSd>(DType::f64, 64, kAvx, "vdivsd"),
        form<DividePs128>(DType::f32, 128, kAvx, "vdivps"),
        form<DividePd128>(DType::f64, 128, kAvx, "vdivpd"),
        form<DividePs256>(DType::f32, 256, kAvx, "vdivps"),
        form<DividePd256>(DType::f64, 256, kAvx, "vdivpd"),
        form<DividePs512>(DType::f32, 512, kWide, "vdivps"),
        form<DividePd512>(DType::f64, 512, kWide, "vdivpd"),
        form<RootSs>(DType::f32, 32, kAvx, "vsqrtss"),
        form<RootSd>(DType::f64, 64, kAvx, "vsqrtsd"),
        form<RootPs128>(DType::f32, 128, kAvx, "vsqrtps"),
        form<RootPd128>(DType::f64, 128, kAvx, "vsqrtpd"),
        form<RootPs256>(DType::f32, 256, kAvx, "vsqrtps"),
        form<RootPd256>(DType::f64, 256, kAvx, "vsqrtpd"),
        form<RootPs512>(DType::f32, 512, kWide, "vsqrtps"),
        form<RootPd512>(DType::f64, 512, kWide, "vsqrtpd"),
        form<SseDivideSs>(DType::f32, 32, kSse, "divss"),
        form<SseDivideSd>(DType::f64, 64, kSse, "divsd"),
        form<SseDividePs>(DType::f32, 128, kSse, "divps"),
        form<SseDividePd>(DType::f64, 128, kSse, "divpd"),
        form<SseRootSs>(DType::f32, 32, kSse, "sqrtss"),
        form<SseRootSd>(DType::f64, 64, kSse, "sqrtsd"),
        form<SseRootPs>(DType::f32, 128, kSse, "sqrtps"),
        form<SseRootPd>(DType::f64, 128, kSse, "sqrtpd"),
    };
}

#else

std::vector<ChainForm> division_forms() {
    return {};
}

#endif

}  // namespace rooftune::probe
