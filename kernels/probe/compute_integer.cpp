// Integer additions and multiplications. A compiler folds a chain of additions of one operand into a
// multiplication and a chain of multiplications into fewer; assembly it leaves alone. Register to register:
// recent cores drop additions of a constant at renaming.
//
// Vectors of 64-bit products have an instruction in AVX-512 only. Below it a product is put together of
// 32-bit ones, a·b = lo(a)·lo(b) + 2^32·(lo(a)·hi(b) + hi(a)·lo(b)), with the halves of b exchanged outside
// the loop, as any kernel with a factor that stays may do; it is counted as one operation.
#include "kernels/probe/compute_assembly.h"

namespace rooftune::probe {

#if defined(__x86_64__)
namespace {

// The scalar frame: chains in %r8 to %r15, the operand in %rdx. `low` names the low half: "d", or "" for all.
#define ROOFTUNE_EACH_REGISTER(text) \
    ".irp n,8,9,10,11,12,13,14,15\n\t .if \\n < 8 + %c[chains]\n\t" text "\n\t .endif\n\t .endr\n\t"
// Written out: clang resolves the end of a name, \(), at the outer of two nested repetitions.
#define ROOFTUNE_TWELVE_TIMES(text) text text text text text text text text text text text text
static_assert(kStepsUnrolled == 12);
// clang-format off
#define ROOFTUNE_SCALAR_CHAINS(Name, op, operand, low)                                                \
    struct Name {                                                                                     \
        template <int kChains>                                                                        \
        static void run(std::int64_t steps, const ChainOperands& operands, std::byte* accumulators) { \
            __asm__ volatile(                                                                         \
                "mov (%[a]), " operand "\n\t"                                                         \
                ROOFTUNE_EACH_REGISTER("mov 64*(\\n-8)(%[x]), %%r\\n\\()" low)                        \
                ".p2align 6\n 1:\n\t"                                                                 \
                ROOFTUNE_TWELVE_TIMES(ROOFTUNE_EACH_REGISTER(op " " operand ", %%r\\n\\()" low))      \
                "sub %[unrolled], %[steps]\n\t jnz 1b\n\t"                                            \
                ROOFTUNE_EACH_REGISTER("mov %%r\\n\\()" low ", 64*(\\n-8)(%[x])")                     \
                : [steps] "+r"(steps)                                                                 \
                : [a] "r"(operands.a.data()), [x] "r"(accumulators), [chains] "i"(kChains),           \
                  [unrolled] "i"(kStepsUnrolled)                                                      \
                : "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory");       \
        }                                                                                             \
    }
// clang-format on
ROOFTUNE_SCALAR_CHAINS(Add32, "add", "%%edx", "d");
ROOFTUNE_SCALAR_CHAINS(Add64, "add", "%%rdx", "");
ROOFTUNE_SCALAR_CHAINS(Multiply32, "imul", "%%edx", "d");
ROOFTUNE_SCALAR_CHAINS(Multiply64, "imul", "%%rdx", "");

ROOFTUNE_AVX_CHAINS(AddD128, "xmm", "", ROOFTUNE_CHAIN_BY_A("vpaddd", "xmm"));
ROOFTUNE_AVX_CHAINS(AddQ128, "xmm", "", ROOFTUNE_CHAIN_BY_A("vpaddq", "xmm"));
ROOFTUNE_AVX_CHAINS(AddD256, "ymm", "", ROOFTUNE_CHAIN_BY_A("vpaddd", "ymm"));
ROOFTUNE_AVX_CHAINS(AddQ256, "ymm", "", ROOFTUNE_CHAIN_BY_A("vpaddq", "ymm"));
ROOFTUNE_AVX_CHAINS(AddD512, "zmm", "", ROOFTUNE_CHAIN_BY_A("vpaddd", "zmm"));
ROOFTUNE_AVX_CHAINS(AddQ512, "zmm", "", ROOFTUNE_CHAIN_BY_A("vpaddq", "zmm"));
ROOFTUNE_AVX_CHAINS(MultiplyD128, "xmm", "", ROOFTUNE_CHAIN_BY_A("vpmulld", "xmm"));
ROOFTUNE_AVX_CHAINS(MultiplyD256, "ymm", "", ROOFTUNE_CHAIN_BY_A("vpmulld", "ymm"));
ROOFTUNE_AVX_CHAINS(MultiplyD512, "zmm", "", ROOFTUNE_CHAIN_BY_A("vpmulld", "zmm"));
ROOFTUNE_AVX_CHAINS(MultiplyQ128, "xmm", "", ROOFTUNE_CHAIN_BY_A("vpmullq", "xmm"));
ROOFTUNE_AVX_CHAINS(MultiplyQ256, "ymm", "", ROOFTUNE_CHAIN_BY_A("vpmullq", "ymm"));
ROOFTUNE_AVX_CHAINS(MultiplyQ512, "zmm", "", ROOFTUNE_CHAIN_BY_A("vpmullq", "zmm"));

// Operand b is operand a with its halves exchanged.
#define ROOFTUNE_WIDE_PRODUCT(r)                                                                             \
    "vpmulld %%" r "13, %%" r "\\n, %%" r "14\n\t vpsrlq $32, %%" r "14, %%" r "15\n\t vpaddd %%" r          \
    "14, %%" r "15, %%" r "15\n\t vpsllq $32, %%" r "15, %%" r "15\n\t vpmuludq %%" r "12, %%" r "\\n, %%" r \
    "\\n\n\t vpaddq %%" r "15, %%" r "\\n, %%" r "\\n"
ROOFTUNE_AVX_CHAINS(WideProduct128, "xmm", "", ROOFTUNE_WIDE_PRODUCT("xmm"));
ROOFTUNE_AVX_CHAINS(WideProduct256, "ymm", "", ROOFTUNE_WIDE_PRODUCT("ymm"));

ROOFTUNE_SSE_CHAINS(SseAddD, "paddd %%xmm12, %%xmm\\n");
ROOFTUNE_SSE_CHAINS(SseAddQ, "paddq %%xmm12, %%xmm\\n");
ROOFTUNE_SSE_CHAINS(SseMultiplyD, "pmulld %%xmm12, %%xmm\\n");
ROOFTUNE_SSE_CHAINS(SseWideProduct,
                    "movdqa %%xmm\\n, %%xmm14\n\t pmulld %%xmm13, %%xmm14\n\t movdqa %%xmm14, %%xmm15\n\t"
                    "psrlq $32, %%xmm15\n\t paddd %%xmm14, %%xmm15\n\t psllq $32, %%xmm15\n\t"
                    "pmuludq %%xmm12, %%xmm\\n\n\t paddq %%xmm15, %%xmm\\n");

ChainForm described(DType dtype, Mix mix, int width_bits, Feature needs, std::string_view text) {
    ChainForm f;
    f.arithmetic = mix == Mix::add ? Arithmetic::add : Arithmetic::multiply;
    f.mix = mix;
    f.dtype = dtype;
    f.width_bits = width_bits;
    f.needs = needs;
    f.text = text;
    f.operations = width_bits / (8.0 * static_cast<double>(size_of(dtype)));
    return f;
}

template <class Kernel>
ChainForm scalar(DType dtype, Mix mix, std::string_view text) {
    ChainForm f = described(dtype, mix, 8 * static_cast<int>(size_of(dtype)), Feature::sse4, text);
    f.kernels = {{1, &Kernel::template run<1>}, {4, &Kernel::template run<4>}, {8, &Kernel::template run<8>}};
    return f;
}

template <class Kernel>
ChainForm vector(DType dtype, Mix mix, int width_bits, Feature needs, std::string_view text,
                 Feature replaced_by = Feature::sse4) {
    ChainForm f = described(dtype, mix, width_bits, needs, text);
    f.replaced_by = replaced_by;
    return with_kernels<Kernel>(f);
}

}  // namespace

std::vector<ChainForm> integer_forms() {
    constexpr Feature kSse = Feature::sse4, kAvx = Feature::avx2, kWide = Feature::avx512;
    constexpr DType kInt = DType::int32, kLong = DType::int64;
    constexpr std::string_view kComposed = "a 64-bit product of 32-bit ones";
    return {
        scalar<Add32>(kInt, Mix::add, "add"),
        scalar<Add64>(kLong, Mix::add, "add"),
        scalar<Multiply32>(kInt, Mix::mul, "imul"),
        scalar<Multiply64>(kLong, Mix::mul, "imul"),
        vector<AddD128>(kInt, Mix::add, 128, kAvx, "vpaddd"),
        vector<AddD256>(kInt, Mix::add, 256, kAvx, "vpaddd"),
        vector<AddD512>(kInt, Mix::add, 512, kWide, "vpaddd"),
        vector<AddQ128>(kLong, Mix::add, 128, kAvx, "vpaddq"),
        vector<AddQ256>(kLong, Mix::add, 256, kAvx, "vpaddq"),
        vector<AddQ512>(kLong, Mix::add, 512, kWide, "vpaddq"),
        vector<MultiplyD128>(kInt, Mix::mul, 128, kAvx, "vpmulld"),
        vector<MultiplyD256>(kInt, Mix::mul, 256, kAvx, "vpmulld"),
        vector<MultiplyD512>(kInt, Mix::mul, 512, kWide, "vpmulld"),
        // Composed products stay beside the instruction, which is no faster on some cores.
        vector<MultiplyQ128>(kLong, Mix::mul, 128, kWide, "vpmullq"),
        vector<MultiplyQ256>(kLong, Mix::mul, 256, kWide, "vpmullq"),
        vector<MultiplyQ512>(kLong, Mix::mul, 512, kWide, "vpmullq"),
        vector<WideProduct128>(kLong, Mix::mul, 128, kAvx, kComposed),
        vector<WideProduct256>(kLong, Mix::mul, 256, kAvx, kComposed),
        vector<SseAddD>(kInt, Mix::add, 128, kSse, "paddd", kAvx),
        vector<SseAddQ>(kLong, Mix::add, 128, kSse, "paddq", kAvx),
        vector<SseMultiplyD>(kInt, Mix::mul, 128, kSse, "pmulld", kAvx),
        vector<SseWideProduct>(kLong, Mix::mul, 128, kSse, kComposed, kAvx),
    };
}

#else

std::vector<ChainForm> integer_forms() {
    return {};
}

#endif

}  // namespace rooftune::probe
