#include "kernels/probe/core.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "kernels/runtime/error.h"

namespace rooftune::probe {
namespace {

// Inline assembly, so that the number of instructions is what is written here. A block ends in
// `dec; jnz`, which most cores fuse into one slot: both are counted, since a kernel's loop has them too.
#define ROOFTUNE_LOOP(body)                                                                            \
    __asm__ volatile(                                                                                  \
        "xor %%eax, %%eax\n\t mov $1, %%edx\n\t"                                                       \
        "mov %[rounds], %%rcx\n\t .p2align 6\n 1:\n\t" body "dec %%rcx\n\t jnz 1b\n\t"                 \
        :                                                                                              \
        : [rounds] "r"(rounds), [p] "r"(operands)                                                      \
        : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "xmm0", "xmm1", "xmm2", "xmm3", \
          "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", \
          "xmm15", "cc", "memory")

#define ROOFTUNE_REPEAT4(x) x x x x

#define ROOFTUNE_SCALAR_LOADS                                                                    \
    "mov (%[p]), %%r8\n\t mov 8(%[p]), %%r9\n\t mov 16(%[p]), %%r10\n\t mov 24(%[p]), %%r11\n\t" \
    "mov 64(%[p]), %%r12\n\t mov 128(%[p]), %%r13\n\t"
// Side by side: loads at equal offsets of their lines would meet in one bank of the cache.
#define ROOFTUNE_LOADS(op, r, step)                                                                        \
    op " 0*" step "(%[p]), %%" r "0\n\t" op " 1*" step "(%[p]), %%" r "1\n\t" op " 2*" step "(%[p]), %%" r \
       "2\n\t" op " 3*" step "(%[p]), %%" r "3\n\t" op " 4*" step "(%[p]), %%" r "4\n\t" op " 5*" step     \
       "(%[p]), %%" r "5\n\t" op " 6*" step "(%[p]), %%" r "6\n\t" op " 7*" step "(%[p]), %%" r "7\n\t"

void scalar_loads(std::int64_t rounds, const double* operands) {
    ROOFTUNE_LOOP(ROOFTUNE_REPEAT4(ROOFTUNE_SCALAR_LOADS));
}
void loads_128(std::int64_t rounds, const double* operands) {
    ROOFTUNE_LOOP(ROOFTUNE_REPEAT4(ROOFTUNE_LOADS("movups", "xmm", "16")));
}
void loads_256(std::int64_t rounds, const double* operands) {
    ROOFTUNE_LOOP(ROOFTUNE_REPEAT4(ROOFTUNE_LOADS("vmovups", "ymm", "32")));
    __asm__ volatile("vzeroupper");
}
void loads_512(std::int64_t rounds, const double* operands) {
    ROOFTUNE_LOOP(ROOFTUNE_REPEAT4(ROOFTUNE_LOADS("vmovups", "zmm", "64")));
    __asm__ volatile("vzeroupper");
}

// Loads that each straddle two lines: the left neighbours of vectors that begin a line, which begin 8 bytes
// before it; the right ones of vectors that end a line, which end 8 bytes behind it; and both in turn, as a
// kernel meets them at each line.
// clang-format off
#define ROOFTUNE_SPLIT_LOADS(op, r, at) \
    op " 0*64+" at "(%[p]), %%" r "0\n\t" op " 1*64+" at "(%[p]), %%" r "1\n\t" \
    op " 2*64+" at "(%[p]), %%" r "2\n\t" op " 3*64+" at "(%[p]), %%" r "3\n\t" \
    op " 4*64+" at "(%[p]), %%" r "4\n\t" op " 5*64+" at "(%[p]), %%" r "5\n\t" \
    op " 6*64+" at "(%[p]), %%" r "6\n\t" op " 7*64+" at "(%[p]), %%" r "7\n\t"
#define ROOFTUNE_SPLIT_PAIRS(op, r, right) \
    op " 1*64-8(%[p]), %%" r "0\n\t" op " 0*64+" right "(%[p]), %%" r "1\n\t" \
    op " 2*64-8(%[p]), %%" r "2\n\t" op " 1*64+" right "(%[p]), %%" r "3\n\t" \
    op " 3*64-8(%[p]), %%" r "4\n\t" op " 2*64+" right "(%[p]), %%" r "5\n\t" \
    op " 4*64-8(%[p]), %%" r "6\n\t" op " 3*64+" right "(%[p]), %%" r "7\n\t"
// clang-format on
#define ROOFTUNE_SPLIT_PROBE(name, body, after)              \
    void name(std::int64_t rounds, const double* operands) { \
        ROOFTUNE_LOOP(ROOFTUNE_REPEAT4(body));               \
        after;                                               \
    }
#define ROOFTUNE_UPPER_ZERO __asm__ volatile("vzeroupper")
// Of 128 bits both neighbours begin at the same byte of a line.
ROOFTUNE_SPLIT_PROBE(split_128, ROOFTUNE_SPLIT_LOADS("movups", "xmm", "56"), )
ROOFTUNE_SPLIT_PROBE(split_128_pairs, ROOFTUNE_SPLIT_PAIRS("movups", "xmm", "56"), )
ROOFTUNE_SPLIT_PROBE(split_256_left, ROOFTUNE_SPLIT_LOADS("vmovups", "ymm", "56"), ROOFTUNE_UPPER_ZERO)
ROOFTUNE_SPLIT_PROBE(split_256_right, ROOFTUNE_SPLIT_LOADS("vmovups", "ymm", "40"), ROOFTUNE_UPPER_ZERO)
ROOFTUNE_SPLIT_PROBE(split_256_pairs, ROOFTUNE_SPLIT_PAIRS("vmovups", "ymm", "40"), ROOFTUNE_UPPER_ZERO)
ROOFTUNE_SPLIT_PROBE(split_512_left, ROOFTUNE_SPLIT_LOADS("vmovups", "zmm", "56"), ROOFTUNE_UPPER_ZERO)
ROOFTUNE_SPLIT_PROBE(split_512_right, ROOFTUNE_SPLIT_LOADS("vmovups", "zmm", "8"), ROOFTUNE_UPPER_ZERO)
ROOFTUNE_SPLIT_PROBE(split_512_pairs, ROOFTUNE_SPLIT_PAIRS("vmovups", "zmm", "8"), ROOFTUNE_UPPER_ZERO)

// Where the lanes of a gather find their elements, from the operands' page on: all in one place, side by
// side, and each in a line of its own. On a Zen 5 they differ by 1 %; a ceiling allows for all.
enum class Pattern { same, adjacent, lines };
template <Pattern kPattern, typename Index>
struct Indices {
    static constexpr Index kStep = kPattern == Pattern::same       ? 0
                                   : kPattern == Pattern::adjacent ? 1
                                                                   : 64 / sizeof(Index);
    alignas(64) static constexpr std::array<Index, 64 / sizeof(Index)> kAll = [] {
        std::array<Index, 64 / sizeof(Index)> all{};
        for (std::size_t lane = 0; lane < all.size(); ++lane) all[lane] = static_cast<Index>(lane) * kStep;
        return all;
    }();
};

// Every gather clears its mask, so each needs one instruction that sets it; %k0 as its source makes none wait
// for the gather before, which wrote the mask. AVX-512 has masks in registers of their own, for all widths. A
// gather merges into its register: zeroed before, it waits for nothing, and not zeroed it takes one slot
// less; the rate is the faster one.
// clang-format off
#define ROOFTUNE_NOT_ZEROED(n)
#define ROOFTUNE_ZEROED(n) "vpxor %%xmm" n ", %%xmm" n ", %%xmm" n "\n\t"
#define ROOFTUNE_MASKED_GATHER(before, op, index, to, scale, n) \
    "kxnorw %%k0, %%k0, %%k1\n\t" before(n) op " (%[p],%%" index "15," scale "), %%" to n "%{%%k1%}\n\t"
#define ROOFTUNE_GATHER(before, op, index, to, scale, n)                   \
    "vpcmpeqd %%" to "14, %%" to "14, %%" to "14\n\t" before(n)            \
    op " %%" to "14, (%[p],%%" index "15," scale "), %%" to n "\n\t"
#define ROOFTUNE_FOUR(gather, before, op, index, to, scale, a, b, c, d)                                  \
    gather(before, op, index, to, scale, a) gather(before, op, index, to, scale, b)                      \
    gather(before, op, index, to, scale, c) gather(before, op, index, to, scale, d)
#define ROOFTUNE_GATHER_PROBE(name, type, gather, before, op, index, to, scale)                              \
    template <Pattern kPattern>                                                                              \
    void name(std::int64_t rounds, const double* operands) {                                                 \
        __asm__ volatile("vmovups (%[x]), %%" index "15\n\t mov %[rounds], %%rcx\n\t .p2align 6\n 1:\n\t"    \
                         ROOFTUNE_FOUR(gather, before, op, index, to, scale, "0", "1", "2", "3")             \
                         ROOFTUNE_FOUR(gather, before, op, index, to, scale, "4", "5", "6", "7")             \
                         ROOFTUNE_FOUR(gather, before, op, index, to, scale, "8", "9", "10", "11")           \
                         "dec %%rcx\n\t jnz 1b\n\t vzeroupper\n\t"                                           \
                         :                                                                                   \
                         : [rounds] "r"(rounds), [p] "r"(operands), [x] "r"(Indices<kPattern, type>::kAll.data()) \
                         : "rcx", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",    \
                           "xmm9", "xmm10", "xmm11", "xmm14", "xmm15", "cc", "memory");                      \
    }
#define ROOFTUNE_GATHER_PROBES(form, gather, before, by_64, by_32, to)                                    \
    ROOFTUNE_GATHER_PROBE(form##_f64_by_64, std::int64_t, gather, before, "vgatherqpd", by_64, to, "8")   \
    ROOFTUNE_GATHER_PROBE(form##_f64_by_32, std::int32_t, gather, before, "vgatherdpd", by_32, to, "8")   \
    ROOFTUNE_GATHER_PROBE(form##_f32_by_32, std::int32_t, gather, before, "vgatherdps", to, to, "4")
#define ROOFTUNE_GATHERS(form, gather, by_64, by_32, to)                                                  \
    ROOFTUNE_GATHER_PROBES(form, gather, ROOFTUNE_NOT_ZEROED, by_64, by_32, to)                           \
    ROOFTUNE_GATHER_PROBES(form##_zeroed, gather, ROOFTUNE_ZEROED, by_64, by_32, to)
ROOFTUNE_GATHERS(plain_128, ROOFTUNE_GATHER, "xmm", "xmm", "xmm")
ROOFTUNE_GATHERS(plain_256, ROOFTUNE_GATHER, "ymm", "xmm", "ymm")
ROOFTUNE_GATHERS(masked_128, ROOFTUNE_MASKED_GATHER, "xmm", "xmm", "xmm")
ROOFTUNE_GATHERS(masked_256, ROOFTUNE_MASKED_GATHER, "ymm", "xmm", "ymm")
ROOFTUNE_GATHERS(masked_512, ROOFTUNE_MASKED_GATHER, "zmm", "ymm", "zmm")
// clang-format on

// acc = acc·½ + ½ converges to 1 and acc + ½ grows slowly: normal values whatever comes first. Fifteen
// accumulators and one operand: three an instruction cycle at a latency of four need more than twelve.
#define ROOFTUNE_FMA(r, n) "vfmadd132pd %%" r "15, %%" r "15, %%" r n "\n\t"
#define ROOFTUNE_ADD(r, n) "vaddpd %%" r "15, %%" r n ", %%" r n "\n\t"

// The registers are set up outside the loop, inside the same block: between two blocks the compiler
// may use them.
#define ROOFTUNE_VECTOR_LOOP(r, body)                                                                     \
    __asm__ volatile(                                                                                     \
        "vbroadcastsd 8(%[p]), %%" r                                                                      \
        "15\n\t"                                                                                          \
        ".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14\n\t vxorpd %%xmm\\n, %%xmm\\n, %%xmm\\n\n\t .endr\n\t" \
        "xor %%eax, %%eax\n\t mov $1, %%edx\n\t"                                                          \
        "mov %[rounds], %%rcx\n\t .p2align 6\n 1:\n\t" body "dec %%rcx\n\t jnz 1b\n\t vzeroupper\n\t"     \
        :                                                                                                 \
        : [rounds] "r"(rounds), [p] "r"(operands)                                                         \
        : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "xmm0", "xmm1", "xmm2", "xmm3",    \
          "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",    \
          "xmm15", "cc", "memory")

// The formatter nests lists of macros deeper each time it sees them.
// clang-format off
#define ROOFTUNE_FMAS(r) \
    ROOFTUNE_FMA(r, "0") ROOFTUNE_FMA(r, "1") ROOFTUNE_FMA(r, "2") ROOFTUNE_FMA(r, "3") \
    ROOFTUNE_FMA(r, "4") ROOFTUNE_FMA(r, "5") ROOFTUNE_FMA(r, "6") ROOFTUNE_FMA(r, "7") \
    ROOFTUNE_FMA(r, "8") ROOFTUNE_FMA(r, "9") ROOFTUNE_FMA(r, "10") ROOFTUNE_FMA(r, "11") \
    ROOFTUNE_FMA(r, "12") ROOFTUNE_FMA(r, "13") ROOFTUNE_FMA(r, "14")
// Two fused multiply-adds to an addition, and one to one: additions may have units of their own. Each
// row of fifteen deals them differently, so that every accumulator takes its turn at both.
#define ROOFTUNE_FMAS_2_1(r) \
    ROOFTUNE_FMA(r, "0") ROOFTUNE_FMA(r, "1") ROOFTUNE_ADD(r, "2") ROOFTUNE_FMA(r, "3") \
    ROOFTUNE_FMA(r, "4") ROOFTUNE_ADD(r, "5") ROOFTUNE_FMA(r, "6") ROOFTUNE_FMA(r, "7") \
    ROOFTUNE_ADD(r, "8") ROOFTUNE_FMA(r, "9") ROOFTUNE_FMA(r, "10") ROOFTUNE_ADD(r, "11") \
    ROOFTUNE_FMA(r, "12") ROOFTUNE_FMA(r, "13") ROOFTUNE_ADD(r, "14") ROOFTUNE_FMA(r, "0") \
    ROOFTUNE_ADD(r, "1") ROOFTUNE_FMA(r, "2") ROOFTUNE_FMA(r, "3") ROOFTUNE_ADD(r, "4") \
    ROOFTUNE_FMA(r, "5") ROOFTUNE_FMA(r, "6") ROOFTUNE_ADD(r, "7") ROOFTUNE_FMA(r, "8") \
    ROOFTUNE_FMA(r, "9") ROOFTUNE_ADD(r, "10") ROOFTUNE_FMA(r, "11") ROOFTUNE_FMA(r, "12") \
    ROOFTUNE_ADD(r, "13") ROOFTUNE_FMA(r, "14") ROOFTUNE_ADD(r, "0") ROOFTUNE_FMA(r, "1") \
    ROOFTUNE_FMA(r, "2") ROOFTUNE_ADD(r, "3") ROOFTUNE_FMA(r, "4") ROOFTUNE_FMA(r, "5") \
    ROOFTUNE_ADD(r, "6") ROOFTUNE_FMA(r, "7") ROOFTUNE_FMA(r, "8") ROOFTUNE_ADD(r, "9") \
    ROOFTUNE_FMA(r, "10") ROOFTUNE_FMA(r, "11") ROOFTUNE_ADD(r, "12") ROOFTUNE_FMA(r, "13") \
    ROOFTUNE_FMA(r, "14")
#define ROOFTUNE_FMAS_1_1(r) \
    ROOFTUNE_FMA(r, "0") ROOFTUNE_ADD(r, "1") ROOFTUNE_FMA(r, "2") ROOFTUNE_ADD(r, "3") \
    ROOFTUNE_FMA(r, "4") ROOFTUNE_ADD(r, "5") ROOFTUNE_FMA(r, "6") ROOFTUNE_ADD(r, "7") \
    ROOFTUNE_FMA(r, "8") ROOFTUNE_ADD(r, "9") ROOFTUNE_FMA(r, "10") ROOFTUNE_ADD(r, "11") \
    ROOFTUNE_FMA(r, "12") ROOFTUNE_ADD(r, "13") ROOFTUNE_FMA(r, "14") ROOFTUNE_ADD(r, "0") \
    ROOFTUNE_FMA(r, "1") ROOFTUNE_ADD(r, "2") ROOFTUNE_FMA(r, "3") ROOFTUNE_ADD(r, "4") \
    ROOFTUNE_FMA(r, "5") ROOFTUNE_ADD(r, "6") ROOFTUNE_FMA(r, "7") ROOFTUNE_ADD(r, "8") \
    ROOFTUNE_FMA(r, "9") ROOFTUNE_ADD(r, "10") ROOFTUNE_FMA(r, "11") ROOFTUNE_ADD(r, "12") \
    ROOFTUNE_FMA(r, "13") ROOFTUNE_ADD(r, "14")
// clang-format on

void fmas_256(std::int64_t rounds, const double* operands) {
    ROOFTUNE_VECTOR_LOOP("ymm", ROOFTUNE_FMAS("ymm"));
}
void fmas_512(std::int64_t rounds, const double* operands) {
    ROOFTUNE_VECTOR_LOOP("zmm", ROOFTUNE_FMAS("zmm"));
}
void fmas_adds_2_1(std::int64_t rounds, const double* operands) {
    ROOFTUNE_VECTOR_LOOP("ymm", ROOFTUNE_FMAS_2_1("ymm"));
}
void fmas_adds_1_1(std::int64_t rounds, const double* operands) {
    ROOFTUNE_VECTOR_LOOP("ymm", ROOFTUNE_FMAS_1_1("ymm"));
}
void adds_muls_128(std::int64_t rounds, const double* operands) {
    __asm__ volatile(
        "movups 16(%[p]), %%xmm14\n\t xorps %%xmm15, %%xmm15\n\t"
        "movaps %%xmm14, %%xmm0\n\t movaps %%xmm14, %%xmm1\n\t movaps %%xmm14, %%xmm2\n\t"
        "movaps %%xmm14, %%xmm3\n\t movaps %%xmm14, %%xmm4\n\t movaps %%xmm14, %%xmm5\n\t"
        "movaps %%xmm14, %%xmm6\n\t movaps %%xmm14, %%xmm7\n\t movaps %%xmm14, %%xmm8\n\t"
        "movaps %%xmm14, %%xmm9\n\t movaps %%xmm14, %%xmm10\n\t movaps %%xmm14, %%xmm11\n\t"
        "mov %[rounds], %%rcx\n\t .p2align 6\n 1:\n\t"
        "mulpd %%xmm14, %%xmm0\n\t addpd %%xmm15, %%xmm1\n\t mulpd %%xmm14, %%xmm2\n\t addpd %%xmm15, "
        "%%xmm3\n\t"
        "mulpd %%xmm14, %%xmm4\n\t addpd %%xmm15, %%xmm5\n\t mulpd %%xmm14, %%xmm6\n\t addpd %%xmm15, "
        "%%xmm7\n\t"
        "mulpd %%xmm14, %%xmm8\n\t addpd %%xmm15, %%xmm9\n\t mulpd %%xmm14, %%xmm10\n\t addpd %%xmm15, "
        "%%xmm11\n\t"
        "dec %%rcx\n\t jnz 1b\n\t"
        :
        : [rounds] "r"(rounds), [p] "r"(operands)
        : "rcx", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
          "xmm11", "xmm14", "xmm15", "cc", "memory");
}

// Register-to-register additions on eight registers, loads that all go to a ninth. %edx is 1.
#define ROOFTUNE_A(n) "add %%edx, %%r" n "d\n\t"
#define ROOFTUNE_L(at) "mov " at "(%[p]), %%rax\n\t"
#define ROOFTUNE_ALU6 \
    ROOFTUNE_A("8") ROOFTUNE_A("9") ROOFTUNE_A("10") ROOFTUNE_A("11") ROOFTUNE_A("12") ROOFTUNE_A("13")
void alu(std::int64_t rounds, const double* operands) {
    ROOFTUNE_LOOP(ROOFTUNE_REPEAT4(ROOFTUNE_ALU6));
}
void alu_loads(std::int64_t rounds, const double* operands) {
    ROOFTUNE_LOOP(ROOFTUNE_REPEAT4(ROOFTUNE_A("8") ROOFTUNE_L("0") ROOFTUNE_A("9") ROOFTUNE_A("10")
                                       ROOFTUNE_L("8") ROOFTUNE_A("11")));
}
// Loads, additions and a store: the back end has ports of its own for each.
void alu_loads_store(std::int64_t rounds, const double* operands) {
    ROOFTUNE_LOOP(ROOFTUNE_REPEAT4(ROOFTUNE_A("8") ROOFTUNE_L("0") ROOFTUNE_A("9") ROOFTUNE_A("10")
                                       ROOFTUNE_L("8") "mov %%rdx, 512(%[p])\n\t"));
}
// A compare and a branch that is never taken fuse into one slot: seven instructions in six. The
// operands' address is not zero.
void alu_loads_branch(std::int64_t rounds, const double* operands) {
    ROOFTUNE_LOOP(ROOFTUNE_REPEAT4(ROOFTUNE_A("8") ROOFTUNE_L("0") ROOFTUNE_A("9") ROOFTUNE_L("8")
                                       ROOFTUNE_A("10") "test %[p], %[p]\n\t jz 2f\n\t") "2:\n\t");
}
// Two such pairs in six slots: eight instructions.
void alu_loads_two_branches(std::int64_t rounds, const double* operands) {
    ROOFTUNE_LOOP(ROOFTUNE_REPEAT4(ROOFTUNE_A("8") ROOFTUNE_L("0") "test %[p], %[p]\n\t jz 2f\n\t" ROOFTUNE_A(
        "9") ROOFTUNE_L("8") "test %[p], %[p]\n\t jz 2f\n\t") "2:\n\t");
}
// The loops that a compiler makes of short kernels.
void short_loop(std::int64_t rounds, const double* operands) {
    ROOFTUNE_LOOP(ROOFTUNE_A("8") ROOFTUNE_L("0") ROOFTUNE_A("9") ROOFTUNE_L("8") ROOFTUNE_A("10"));
}
void longer_loop(std::int64_t rounds, const double* operands) {
    ROOFTUNE_LOOP(ROOFTUNE_A("8") ROOFTUNE_L("0") ROOFTUNE_A("9") ROOFTUNE_L("8") ROOFTUNE_A("10") ROOFTUNE_A(
        "11") ROOFTUNE_L("16") ROOFTUNE_A("12") ROOFTUNE_L("24") ROOFTUNE_A("13") ROOFTUNE_L("32"));
}
void fmas_loads_alu(std::int64_t rounds, const double* operands) {
    ROOFTUNE_VECTOR_LOOP("ymm", ROOFTUNE_FMA("ymm", "0") "vmovups 0(%[p]), %%ymm8\n\t add %%edx, %%r8d\n\t"
                         ROOFTUNE_FMA("ymm", "1") "vmovups 32(%[p]), %%ymm9\n\t add %%edx, %%r9d\n\t"
                         ROOFTUNE_FMA("ymm", "2") "vmovups 64(%[p]), %%ymm10\n\t add %%edx, %%r10d\n\t"
                         ROOFTUNE_FMA("ymm", "3") "vmovups 0(%[p]), %%ymm8\n\t add %%edx, %%r11d\n\t"
                         ROOFTUNE_FMA("ymm", "4") "vmovups 32(%[p]), %%ymm9\n\t add %%edx, %%r8d\n\t"
                         ROOFTUNE_FMA("ymm", "5") "vmovups 64(%[p]), %%ymm10\n\t add %%edx, %%r9d\n\t"
                         ROOFTUNE_FMA("ymm", "6") "vmovups 0(%[p]), %%ymm8\n\t add %%edx, %%r10d\n\t"
                         ROOFTUNE_FMA("ymm", "7") "vmovups 32(%[p]), %%ymm9\n\t add %%edx, %%r11d\n\t");
}

// `needs`: the vectors of the instruction set that has it. Other patterns than adjacent elements are tried
// once a set: every way takes a window of each probe.
// clang-format off
#define ROOFTUNE_GATHER_MIX(needs, text, bits, probe, pattern)                                                \
    IssueMix{Mix::gathers, "f64 by 64-bit indices, " text, needs, 12 * (bits / 64), &probe##_f64_by_64<pattern>},  \
    IssueMix{Mix::gathers, "f64 by 32-bit indices, " text, needs, 12 * (bits / 64), &probe##_f64_by_32<pattern>},  \
    IssueMix{Mix::gathers, "f32 by 32-bit indices, " text, needs, 12 * (bits / 32), &probe##_f32_by_32<pattern>}
#define ROOFTUNE_GATHER_MIXES(needs, text, bits, probe)                                              \
    ROOFTUNE_GATHER_MIX(needs, text ", adjacent", bits, probe, Pattern::adjacent),                   \
    ROOFTUNE_GATHER_MIX(needs, text ", adjacent, zeroed", bits, probe##_zeroed, Pattern::adjacent)
#define ROOFTUNE_GATHER_PATTERNS(needs, text, bits, probe)                                           \
    ROOFTUNE_GATHER_MIX(needs, text ", one element", bits, probe, Pattern::same),                    \
    ROOFTUNE_GATHER_MIX(needs, text ", a line each", bits, probe, Pattern::lines)
// clang-format on

// Counted are the instructions of the kind; for `mixed` the loop's own two as well; for gathers the elements.
constexpr std::array kIssueMixes{
    IssueMix{Mix::loads, "scalar loads", 0, 24, &scalar_loads},
    IssueMix{Mix::loads, "128-bit loads", 128, 32, &loads_128},
    IssueMix{Mix::loads, "256-bit loads", 256, 32, &loads_256},
    IssueMix{Mix::loads, "512-bit loads", 512, 32, &loads_512},
    IssueMix{Mix::split_loads, "128 bits, either neighbour", 128, 32, &split_128},
    IssueMix{Mix::split_loads, "128 bits, both neighbours", 128, 32, &split_128_pairs},
    IssueMix{Mix::split_loads, "256 bits, left neighbours", 256, 32, &split_256_left},
    IssueMix{Mix::split_loads, "256 bits, right neighbours", 256, 32, &split_256_right},
    IssueMix{Mix::split_loads, "256 bits, both neighbours", 256, 32, &split_256_pairs},
    IssueMix{Mix::split_loads, "512 bits, left neighbours", 512, 32, &split_512_left},
    IssueMix{Mix::split_loads, "512 bits, right neighbours", 512, 32, &split_512_right},
    IssueMix{Mix::split_loads, "512 bits, both neighbours", 512, 32, &split_512_pairs},
    ROOFTUNE_GATHER_MIXES(256, "128 bits", 128, plain_128),
    ROOFTUNE_GATHER_MIXES(256, "256 bits", 256, plain_256),
    ROOFTUNE_GATHER_MIXES(512, "128 bits, masked", 128, masked_128),
    ROOFTUNE_GATHER_MIXES(512, "256 bits, masked", 256, masked_256),
    ROOFTUNE_GATHER_MIXES(512, "512 bits, masked", 512, masked_512),
    ROOFTUNE_GATHER_PATTERNS(256, "256 bits", 256, plain_256_zeroed),
    ROOFTUNE_GATHER_PATTERNS(512, "512 bits, masked", 512, masked_512_zeroed),
    IssueMix{Mix::fmas, "128-bit products and sums", 128, 12, &adds_muls_128},
    IssueMix{Mix::fmas, "256-bit FMA", 256, 15, &fmas_256},
    IssueMix{Mix::fmas, "256-bit FMA and sums, 2:1", 256, 45, &fmas_adds_2_1},
    IssueMix{Mix::fmas, "256-bit FMA and sums, 1:1", 256, 30, &fmas_adds_1_1},
    IssueMix{Mix::fmas, "512-bit FMA", 512, 15, &fmas_512},
    IssueMix{Mix::mixed, "additions", 0, 26, &alu},
    IssueMix{Mix::mixed, "additions and loads", 0, 26, &alu_loads},
    IssueMix{Mix::mixed, "additions, loads and a store", 0, 26, &alu_loads_store},
    IssueMix{Mix::mixed, "additions, loads and a fused branch", 0, 30, &alu_loads_branch},
    IssueMix{Mix::mixed, "additions, loads and two fused branches", 0, 34, &alu_loads_two_branches},
    IssueMix{Mix::mixed, "a loop of 7", 0, 7, &short_loop},
    IssueMix{Mix::mixed, "a loop of 13", 0, 13, &longer_loop},
    IssueMix{Mix::mixed, "FMA, loads and additions", 256, 26, &fmas_loads_alu},
};

// One cell of the window probe's chains a line; a line a cell, so that every step misses.
struct Cell {
    const Cell* next;
    std::array<std::byte, 56> rest;
};
static_assert(sizeof(Cell) == 64);

constexpr std::size_t kCells = std::size_t{1} << 18;  // 16 MiB: beyond private caches

template <int kFiller>
std::pair<const Cell*, const Cell*> miss_pairs(const Cell* a, const Cell* b, std::int64_t rounds) {
    for (std::int64_t r = 0; r < rounds; ++r) {
        __asm__ volatile(
            "mov (%[a]), %[a]\n\t"
            ".rept %c[filler]\n\t nop\n\t .endr\n\t"
            "mov (%[b]), %[b]\n\t"
            ".rept %c[filler]\n\t nop\n\t .endr\n\t"
            : [a] "+r"(a), [b] "+r"(b)
            : [filler] "i"(kFiller)
            : "memory");
    }
    return {a, b};
}

using MissPairs = std::pair<const Cell*, const Cell*> (*)(const Cell*, const Cell*, std::int64_t);
struct WindowStep {
    int filler;
    MissPairs run;
};
template <int... kFiller>
constexpr auto window_steps() {
    return std::array{WindowStep{kFiller, &miss_pairs<kFiller>}...};
}
// Nops take a place in the window and nothing else, so that no other resource ends the overlap first.
constexpr auto kWindowSteps = window_steps<16, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448,
                                           480, 512, 544, 576, 640, 768, 1024>();

}  // namespace

std::vector<IssueMix> issue_mixes(Mix kind, int most_bits, int width_bits) {
    std::vector<IssueMix> mixes;
    for (const IssueMix& mix : kIssueMixes) {
        if (mix.kind != kind || mix.width_bits > most_bits) continue;
        if (width_bits == 0 || mix.width_bits == width_bits) mixes.push_back(mix);
    }
    return mixes;
}

Work issue_work(const IssueMix& mix) {
    // A page that every load of the mixes hits, so that none straddles two of them; ½ where a broadcast
    // reads, 1 where a product starts.
    alignas(4096) static double operands[512] = {0.0, 0.5, 1.0, 1.0};
    constexpr std::int64_t kRoundsARepetition = 200;
    Work work;
    work.threads = 1;
    work.amount = static_cast<double>(mix.instructions) * static_cast<double>(kRoundsARepetition);
    work.run = [run = mix.run](int, std::int64_t repetitions) {
        run(repetitions * kRoundsARepetition, operands);
    };
    return work;
}

Work clock_work() {
    constexpr std::int64_t kRoundsARepetition = 50;
    constexpr double kCyclesAMultiplication = 3.0;
    Work work;
    work.threads = 1;
    work.amount = kRoundsARepetition * 20 * kCyclesAMultiplication;
    work.run = [](int, std::int64_t repetitions) {
        std::uint32_t value = 3;
        for (std::int64_t r = 0; r < repetitions * kRoundsARepetition; ++r) {
            __asm__ volatile(".rept 20\n\t imul %[v], %[v]\n\t .endr\n\t" : [v] "+r"(value) : : "cc");
        }
    };
    return work;
}

const std::vector<int>& window_fillers() {
    static const std::vector<int> fillers = [] {
        std::vector<int> all;
        for (const WindowStep& step : kWindowSteps) all.push_back(step.filler);
        return all;
    }();
    return fillers;
}

Bytes window_footprint() {
    return Bytes(static_cast<double>(kCells * sizeof(Cell)));
}

void prepare_window(Pages pages, const Memory& memory) {
    // One random cycle through all cells; the two walkers start half of it apart.
    auto* cells = reinterpret_cast<Cell*>(memory.region(pages, 0));
    std::vector<std::uint32_t> order(kCells);
    std::iota(order.begin(), order.end(), 0U);
    std::uint64_t state = 88172645463325252ULL;
    for (std::size_t i = kCells - 1; i > 0; --i) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        std::swap(order[i], order[(state >> 20) % (i + 1)]);
    }
    for (std::size_t i = 0; i < kCells; ++i) cells[order[i]].next = &cells[order[(i + 1) % kCells]];
    // Once around, so that the first filler is timed on caches in the same state as the last.
    miss_pairs<16>(cells, cells + kCells / 2, kCells / 2);
}

Work window_work(int filler, Pages pages, const Memory& memory) {
    const auto step = std::find_if(kWindowSteps.begin(), kWindowSteps.end(),
                                   [&](const WindowStep& s) { return s.filler == filler; });
    if (step == kWindowSteps.end()) {
        throw EnvironmentError("the window probe is not built for " + std::to_string(filler) +
                               " fillers; take one of window_fillers()");
    }
    Work work;
    work.threads = 1;
    work.amount = 1.0;
    const auto* cells = reinterpret_cast<const Cell*>(memory.region(pages, 0));
    // The walkers go on where the last window ended: starting again would find its lines cached.
    work.run = [run = step->run, a = cells, b = cells + kCells / 2](int, std::int64_t repetitions) mutable {
        std::tie(a, b) = run(a, b, repetitions);
    };
    return work;
}

int window_from_times(const std::vector<int>& fillers, const std::vector<double>& seconds) {
    if (fillers.size() != seconds.size() || seconds.empty()) return 0;
    for (const double s : seconds) {
        if (!(s > 0.0)) return 0;
    }
    // Noise only slows a round down: what a longer filler reached, a shorter one can.
    std::vector<double> reached = seconds;
    for (std::size_t i = reached.size() - 1; i > 0; --i)
        reached[i - 1] = std::min(reached[i - 1], reached[i]);
    // Issuing the fillers lengthens a round by a few per cent a step; the end of the overlap adds most
    // of a latency. The last such jump, since the answer is wanted from above.
    constexpr double kJump = 1.25;
    for (std::size_t i = reached.size() - 1; i > 0; --i) {
        if (reached[i] >= kJump * reached[i - 1]) return fillers[i];
    }
    return 0;
}

}  // namespace rooftune::probe
