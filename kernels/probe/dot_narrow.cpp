// Products of narrow elements added into wider ones, on vectors, and f16 arithmetic where the CPU has it. Two
// operations a product.
//
// Without an instruction of their own narrow elements are widened first. How often a kernel must do that
// depends on how often it uses a widened element again, so a ceiling allows for any reuse: beside the forms
// here, which widen one operand once for all chains of a step, bf16 and f16 are probed as f32 FMA on operands
// widened beforehand (Prober takes the fastest).
//
// Bytes without VNNI, two forms:
//   * madd_words widens int8 to int16 and adds pairs of products into int32: exact for all values.
//   * madd_bytes multiplies uint8 by int8 and adds pairs of products into int16, then pairs of these into
//     int32. The first sum saturates: exact where one operand stays within 0..127, as in data quantised to
//     seven bits or to a sign and seven bits, hence a rate that such kernels reach.
// Data of still fewer bits may be summed in int16 for several steps and goes beyond: it is not int8.
#include "kernels/probe/compute_assembly.h"

namespace rooftune::probe {

#if defined(__x86_64__)
namespace {

// One operand of int8 is widened a step, into register 15; madd writes to 14.
#define ROOFTUNE_MADD_WORDS(r) \
    "vpmaddwd %%" r "13, %%" r "15, %%" r "14\n\t vpaddd %%" r "14, %%" r "\\n, %%" r "\\n"
ROOFTUNE_AVX_CHAINS(MaddWords128, "xmm", "vpmovsxbw %%xmm12, %%xmm15\n\t", ROOFTUNE_MADD_WORDS("xmm"));
ROOFTUNE_AVX_CHAINS(MaddWords256, "ymm", "vpmovsxbw %%xmm12, %%ymm15\n\t", ROOFTUNE_MADD_WORDS("ymm"));
ROOFTUNE_AVX_CHAINS(MaddWords512, "zmm", "vpmovsxbw %%ymm12, %%zmm15\n\t", ROOFTUNE_MADD_WORDS("zmm"));
ROOFTUNE_VECTOR_CHAINS(SseMaddWords, "movups", "xmm", "pmovsxbw %%xmm12, %%xmm15\n\t",
                       "movdqa %%xmm15, %%xmm14\n\t pmaddwd %%xmm13, %%xmm14\n\t paddd %%xmm14, %%xmm\\n",
                       "");

// Register 14 holds ones of 16 bits.
#define ROOFTUNE_MADD_BYTES(r)                                                           \
    "vpmaddubsw %%" r "13, %%" r "12, %%" r "15\n\t vpmaddwd %%" r "14, %%" r "15, %%" r \
    "15\n\t vpaddd %%" r "15, %%" r "\\n, %%" r "\\n"
ROOFTUNE_AVX_CHAINS(MaddBytes128, "xmm", "", ROOFTUNE_MADD_BYTES("xmm"));
ROOFTUNE_AVX_CHAINS(MaddBytes256, "ymm", "", ROOFTUNE_MADD_BYTES("ymm"));
ROOFTUNE_AVX_CHAINS(MaddBytes512, "zmm", "", ROOFTUNE_MADD_BYTES("zmm"));

#define ROOFTUNE_THREE(op, r) op " %%" r "13, %%" r "12, %%" r "\\n"
ROOFTUNE_AVX_CHAINS(VexDotBytes128, "xmm", "", ROOFTUNE_THREE("%{vex%} vpdpbusd", "xmm"));
ROOFTUNE_AVX_CHAINS(VexDotBytes256, "ymm", "", ROOFTUNE_THREE("%{vex%} vpdpbusd", "ymm"));
ROOFTUNE_AVX_CHAINS(DotBytes128, "xmm", "", ROOFTUNE_THREE("%{evex%} vpdpbusd", "xmm"));
ROOFTUNE_AVX_CHAINS(DotBytes256, "ymm", "", ROOFTUNE_THREE("%{evex%} vpdpbusd", "ymm"));
ROOFTUNE_AVX_CHAINS(DotBytes512, "zmm", "", ROOFTUNE_THREE("vpdpbusd", "zmm"));

ROOFTUNE_AVX_CHAINS(DotBf16Of128, "xmm", "", ROOFTUNE_THREE("vdpbf16ps", "xmm"));
ROOFTUNE_AVX_CHAINS(DotBf16Of256, "ymm", "", ROOFTUNE_THREE("vdpbf16ps", "ymm"));
ROOFTUNE_AVX_CHAINS(DotBf16Of512, "zmm", "", ROOFTUNE_THREE("vdpbf16ps", "zmm"));

// A bf16 is the upper half of an f32: a shift widens the even elements into register 15, a mask (operand c)
// the odd ones into 14. Even chains take the former.
#define ROOFTUNE_WIDEN_BF16(mask, r) \
    "vpslld $16, %%" r "12, %%" r "15\n\t" mask " (%[c]), %%" r "12, %%" r "14\n\t"
#define ROOFTUNE_BF16_PRODUCT(r)                                                                             \
    ".if \\n & 1\n\t vfmadd231ps %%" r "13, %%" r "14, %%" r "\\n\n\t .else\n\t vfmadd231ps %%" r "13, %%" r \
    "15, %%" r "\\n\n\t .endif"
ROOFTUNE_AVX_CHAINS(WidenedBf16Of128, "xmm", ROOFTUNE_WIDEN_BF16("vpand", "xmm"),
                    ROOFTUNE_BF16_PRODUCT("xmm"));
ROOFTUNE_AVX_CHAINS(WidenedBf16Of256, "ymm", ROOFTUNE_WIDEN_BF16("vpand", "ymm"),
                    ROOFTUNE_BF16_PRODUCT("ymm"));
ROOFTUNE_AVX_CHAINS(WidenedBf16Of512, "zmm", ROOFTUNE_WIDEN_BF16("vpandd", "zmm"),
                    ROOFTUNE_BF16_PRODUCT("zmm"));

#define ROOFTUNE_F16_PRODUCT(r) "vfmadd231ps %%" r "13, %%" r "15, %%" r "\\n"
ROOFTUNE_AVX_CHAINS(WidenedF16Of128, "xmm", "vcvtph2ps %%xmm12, %%xmm15\n\t", ROOFTUNE_F16_PRODUCT("xmm"));
ROOFTUNE_AVX_CHAINS(WidenedF16Of256, "ymm", "vcvtph2ps %%xmm12, %%ymm15\n\t", ROOFTUNE_F16_PRODUCT("ymm"));
ROOFTUNE_AVX_CHAINS(WidenedF16Of512, "zmm", "vcvtph2ps %%ymm12, %%zmm15\n\t", ROOFTUNE_F16_PRODUCT("zmm"));

// x = x·a + b.
#define ROOFTUNE_FMA_F16(r) "vfmadd132ph %%" r "12, %%" r "13, %%" r "\\n"
ROOFTUNE_AVX_CHAINS(FmaF16Of128, "xmm", "", ROOFTUNE_FMA_F16("xmm"));
ROOFTUNE_AVX_CHAINS(FmaF16Of256, "ymm", "", ROOFTUNE_FMA_F16("ymm"));
ROOFTUNE_AVX_CHAINS(FmaF16Of512, "zmm", "", ROOFTUNE_FMA_F16("zmm"));

// Products a step of one chain, of each lane of 32 bits.
int products_a_lane(Arithmetic arithmetic) {
    switch (arithmetic) {
        case Arithmetic::madd_bytes:
        case Arithmetic::dot_bytes:
            return 4;
        case Arithmetic::madd_words:
        case Arithmetic::dot_bf16:
        case Arithmetic::fma_f16:
            return 2;
        default:
            return 1;
    }
}

template <class Kernel>
ChainForm form(Arithmetic arithmetic, DType dtype, int width_bits, Feature needs, std::string_view text,
               Feature replaced_by = Feature::sse4) {
    ChainForm f;
    f.arithmetic = arithmetic;
    f.mix = arithmetic == Arithmetic::fma_f16 ? Mix::fma : Mix::dot;
    f.dtype = dtype;
    f.width_bits = width_bits;
    f.needs = needs;
    f.replaced_by = replaced_by;
    f.text = text;
    f.operations = 2.0 * products_a_lane(arithmetic) * width_bits / 32.0;
    return with_kernels<Kernel>(f);
}

}  // namespace

std::vector<ChainForm> narrow_forms() {
    using enum Arithmetic;
    constexpr Feature kAvx = Feature::avx2, kWide = Feature::avx512;
    constexpr Feature kVnni = Feature::avx512_vnni, kBf16 = Feature::avx512_bf16;
    constexpr Feature kFp16 = Feature::avx512_fp16;
    constexpr std::string_view kShift = "vfmadd231ps on bf16 widened by shift and mask";
    constexpr std::string_view kConvert = "vfmadd231ps on f16 widened by vcvtph2ps";
    return {
        form<MaddWords128>(madd_words, DType::int8, 128, kAvx, "vpmaddwd"),
        form<MaddWords256>(madd_words, DType::int8, 256, kAvx, "vpmaddwd"),
        form<MaddWords512>(madd_words, DType::int8, 512, kWide, "vpmaddwd"),
        form<SseMaddWords>(madd_words, DType::int8, 128, Feature::sse4, "pmaddwd", kAvx),
        form<MaddBytes128>(madd_bytes, DType::int8, 128, kAvx, "vpmaddubsw"),
        form<MaddBytes256>(madd_bytes, DType::int8, 256, kAvx, "vpmaddubsw"),
        form<MaddBytes512>(madd_bytes, DType::int8, 512, kWide, "vpmaddubsw"),
        form<VexDotBytes128>(dot_bytes, DType::int8, 128, Feature::avx_vnni, "vpdpbusd", kVnni),
        form<VexDotBytes256>(dot_bytes, DType::int8, 256, Feature::avx_vnni, "vpdpbusd", kVnni),
        form<DotBytes128>(dot_bytes, DType::int8, 128, kVnni, "vpdpbusd"),
        form<DotBytes256>(dot_bytes, DType::int8, 256, kVnni, "vpdpbusd"),
        form<DotBytes512>(dot_bytes, DType::int8, 512, kVnni, "vpdpbusd"),
        form<WidenedBf16Of128>(widened_bf16, DType::bf16, 128, kAvx, kShift),
        form<WidenedBf16Of256>(widened_bf16, DType::bf16, 256, kAvx, kShift),
        form<WidenedBf16Of512>(widened_bf16, DType::bf16, 512, kWide, kShift),
        form<DotBf16Of128>(dot_bf16, DType::bf16, 128, kBf16, "vdpbf16ps"),
        form<DotBf16Of256>(dot_bf16, DType::bf16, 256, kBf16, "vdpbf16ps"),
        form<DotBf16Of512>(dot_bf16, DType::bf16, 512, kBf16, "vdpbf16ps"),
        form<WidenedF16Of128>(widened_f16, DType::f16, 128, kAvx, kConvert),
        form<WidenedF16Of256>(widened_f16, DType::f16, 256, kAvx, kConvert),
        form<WidenedF16Of512>(widened_f16, DType::f16, 512, kWide, kConvert),
        form<FmaF16Of128>(fma_f16, DType::f16, 128, kFp16, "vfmadd132ph"),
        form<FmaF16Of256>(fma_f16, DType::f16, 256, kFp16, "vfmadd132ph"),
        form<FmaF16Of512>(fma_f16, DType::f16, 512, kFp16, "vfmadd132ph"),
    };
}

#else

std::vector<ChainForm> narrow_forms() {
    return {};
}

#endif

}  // namespace rooftune::probe
