// The matrix unit: products of tiles, 16 rows of 64 bytes each. One instruction multiplies a tile of 16 × 64
// int8 (or 16 × 32 bf16) by one of 64 × 16 and adds to 16 × 16 elements of 32 bits. Tiles 0 to 3 are the
// chains, 6 and 7 the operands.
#include <array>

#include "kernels/probe/compute_chains.h"
#include "kernels/probe/compute_kernel.h"

namespace rooftune::probe {

#if defined(__x86_64__)
namespace {

// What ldtilecfg reads: the first palette, every tile in full.
struct alignas(64) TileShapes {
    std::uint8_t palette = 1;
    std::uint8_t start_row = 0;
    std::array<std::uint8_t, 14> reserved{};
    std::array<std::uint16_t, 16> row_bytes{64, 64, 64, 64, 64, 64, 64, 64};
    std::array<std::uint8_t, 16> rows{16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileShapes) == 64);
constexpr TileShapes kShapes;

#define ROOFTUNE_EACH_TILE(text) \
    ".irp n,0,1,2,3\n\t .if \\n < %c[chains]\n\t" text "\n\t .endif\n\t .endr\n\t"
// clang-format off
#define ROOFTUNE_TILE_CHAINS(Name, op)                                                                \
    struct Name {                                                                                     \
        template <int kChains>                                                                        \
        static void run(std::int64_t steps, const ChainOperands& operands, std::byte* accumulators) { \
            __asm__ volatile(                                                                         \
                "ldtilecfg (%[shapes])\n\t"                                                           \
                "tileloadd (%[a],%[pitch],1), %%tmm6\n\t tileloadd (%[b],%[pitch],1), %%tmm7\n\t"     \
                ROOFTUNE_EACH_TILE("tileloadd 1024*\\n(%[x],%[pitch],1), %%tmm\\n")                   \
                ".p2align 6\n 1:\n\t .rept %c[unrolled]\n\t"                                          \
                ROOFTUNE_EACH_TILE(op " %%tmm7, %%tmm6, %%tmm\\n") ".endr\n\t"                        \
                "sub %[unrolled], %[steps]\n\t jnz 1b\n\t"                                            \
                ROOFTUNE_EACH_TILE("tilestored %%tmm\\n, 1024*\\n(%[x],%[pitch],1)")                  \
                "tilerelease"                                                                         \
                : [steps] "+r"(steps)                                                                 \
                : [shapes] "r"(&kShapes), [a] "r"(operands.a.data()), [b] "r"(operands.b.data()),     \
                  [x] "r"(accumulators), [pitch] "r"(std::int64_t{64}), [chains] "i"(kChains),        \
                  [unrolled] "i"(kStepsUnrolled)                                                      \
                : "cc", "memory");                                                                    \
        }                                                                                             \
    }
// clang-format on
ROOFTUNE_TILE_CHAINS(TileBytes, "tdpbssd");
ROOFTUNE_TILE_CHAINS(TileBf16, "tdpbf16ps");

template <class Kernel>
ChainForm form(Arithmetic arithmetic, DType dtype, Feature needs, std::string_view text) {
    ChainForm f;
    f.arithmetic = arithmetic;
    f.dtype = dtype;
    f.mix = Mix::dot;
    f.needs = needs;
    f.text = text;
    f.operations = 2.0 * 16.0 * 16.0 * (64.0 / static_cast<double>(size_of(dtype)));
    f.kernels = {{1, &Kernel::template run<1>}, {2, &Kernel::template run<2>}, {4, &Kernel::template run<4>}};
    return f;
}

}  // namespace

std::vector<ChainForm> tile_forms() {
    return {
        form<TileBytes>(Arithmetic::tile_bytes, DType::int8, Feature::amx_int8, "tdpbssd"),
        form<TileBf16>(Arithmetic::tile_bf16, DType::bf16, Feature::amx_bf16, "tdpbf16ps"),
    };
}

#else

std::vector<ChainForm> tile_forms() {
    return {};
}

#endif

}  // namespace rooftune::probe
