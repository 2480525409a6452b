// The frame of a kernel of vector chains in inline assembly. Macros, since assembly is a string literal.
#pragma once

#include <cstdint>

#include "kernels/probe/compute_chains.h"
#include "kernels/probe/compute_kernel.h"

namespace rooftune::probe {

// `text` for each chain; \n stands for its number.
#define ROOFTUNE_EACH_CHAIN(text) \
    ".irp n,0,1,2,3,4,5,6,7,8,9,10,11\n\t .if \\n < %c[chains]\n\t" text "\n\t .endif\n\t .endr\n\t"

// A struct with a kernel for each number of chains. Registers `r`0 to `r`11 are the chains, 12 to 14 hold the
// operands and 15 is free. `move` loads and stores one, `before` runs once a step, `body` once a chain.
// clang-format off
#define ROOFTUNE_VECTOR_CHAINS(Name, move, r, before, body, after)                                         \
    struct Name {                                                                                          \
        template <int kChains>                                                                             \
        static void run(std::int64_t steps, const ChainOperands& operands, std::byte* accumulators) {      \
            __asm__ volatile(                                                                              \
                move " (%[a]), %%" r "12\n\t" move " (%[b]), %%" r "13\n\t" move " (%[c]), %%" r "14\n\t"  \
                ROOFTUNE_EACH_CHAIN(move " 64*\\n(%[x]), %%" r "\\n")                                      \
                ".p2align 6\n 1:\n\t .rept %c[unrolled]\n\t" before ROOFTUNE_EACH_CHAIN(body) ".endr\n\t"  \
                "sub %[unrolled], %[steps]\n\t jnz 1b\n\t"                                                 \
                ROOFTUNE_EACH_CHAIN(move " %%" r "\\n, 64*\\n(%[x])") after                                \
                : [steps] "+r"(steps)                                                                      \
                : [a] "r"(operands.a.data()), [b] "r"(operands.b.data()), [c] "r"(operands.c.data()),      \
                  [x] "r"(accumulators), [chains] "i"(kChains), [unrolled] "i"(kStepsUnrolled)             \
                : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
                  "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "cc", "memory");                            \
        }                                                                                                  \
    }
// clang-format on

// In the encodings of AVX and later, and in that of SSE.
#define ROOFTUNE_AVX_CHAINS(Name, r, before, body) \
    ROOFTUNE_VECTOR_CHAINS(Name, "vmovups", r, before, body, "vzeroupper")
#define ROOFTUNE_SSE_CHAINS(Name, body) ROOFTUNE_VECTOR_CHAINS(Name, "movups", "xmm", "", body, "")

// x = x op a, and x = a op x.
#define ROOFTUNE_CHAIN_BY_A(op, r) op " %%" r "12, %%" r "\\n, %%" r "\\n"
#define ROOFTUNE_A_BY_CHAIN(op, r) op " %%" r "\\n, %%" r "12, %%" r "\\n"

template <class Kernel>
ChainForm with_kernels(ChainForm form) {
    form.kernels = {{1, &Kernel::template run<1>},
                    {4, &Kernel::template run<4>},
                    {8, &Kernel::template run<8>},
                    {12, &Kernel::template run<12>}};
    return form;
}

}  // namespace rooftune::probe
