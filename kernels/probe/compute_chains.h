// Chains of dependent operations written in assembly, for what Highway has no word for or what a compiler
// would fold (a chain of integer additions of one operand is a multiplication to it). What is executed is
// what is written: chain n lives in register n, and the operands in registers 12 to 14. Looked at once with
// objdump (g++ 12): each loop holds 12 times the instructions of a step, all on registers (the mask of
// widened bf16 alone is read from memory), then one subtraction and one jump; nothing is spilled.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/probe/compute.h"
#include "kernels/runtime/cpu.h"

namespace rooftune::probe {

/// What one step does to a chain's accumulator x, lane by lane. a, b and c are the three operands; indices
/// count the narrow elements that fall together with lane i of x.
enum class Arithmetic {
    divide,        ///< x = a / x, which alternates between two values
    root,          ///< x = √x, which approaches 1
    add,           ///< x = x + a, modulo 2^bits
    multiply,      ///< x = x · a, modulo 2^bits
    madd_words,    ///< x_i += a_2i·b_2i + a_2i+1·b_2i+1: a of int8 widened to int16, b of int16; exact
    madd_bytes,    ///< x_i += Σ over four of a·b, a of uint8, b of int8; each pair's sum saturates at int16
    dot_bytes,     ///< x_i += Σ over four of a·b, a of uint8, b of int8; exact modulo 2^32
    widened_bf16,  ///< f32: x_i += a_2i·b_i in even chains, a_2i+1·b_i in odd ones; a of bf16, b of f32
    widened_f16,   ///< f32: x_i += a_i·b_i; a of f16, b of f32
    dot_bf16,      ///< f32: x_i += a_2i·b_2i + a_2i+1·b_2i+1
    fma_f16,       ///< f16: x = x·a + b
    tile_bytes,  ///< x[r][c] += Σ over k of a[r][k]·b[k/4][4c + k%4], int8, 16 × 16 of int32, 64 products
    tile_bf16,   ///< x[r][c] += Σ over k of a[r][k]·b[k/2][2c + k%2], bf16, 16 × 16 of f32, 32 products
};

/// The first bytes of each are the operand of a vector; a tile fills it.
struct alignas(64) ChainOperands {
    std::array<std::byte, 1024> a{}, b{}, c{};
};

/// Distance from one chain's accumulator to the next in memory.
inline constexpr std::size_t kVectorStride = 64;
inline constexpr std::size_t kTileStride = 1024;

/// Loads the accumulators, runs `steps` steps of every chain (a positive multiple of kStepsUnrolled) and
/// stores them again. Accumulators are aligned to 64 bytes.
using ChainKernel = void (*)(std::int64_t steps, const ChainOperands& operands, std::byte* accumulators);

/// One way to meet a compute condition. The kernels of a form differ in the number of chains alone.
struct ChainForm {
    Arithmetic arithmetic = Arithmetic::add;
    DType dtype = DType::f64;
    Mix mix = Mix::add;
    int width_bits = 0;  ///< the element's own for scalar code; 0 for tiles
    Feature needs = Feature::sse4;
    std::string_view text;    ///< the instruction that does the work
    double operations = 0.0;  ///< of one step of one chain
    /// Replaced by another form where the CPU has this one; sse4 where it is never replaced.
    Feature replaced_by = Feature::sse4;
    std::vector<std::pair<int, ChainKernel>> kernels{};  ///< by number of chains

    bool tiles() const { return arithmetic == Arithmetic::tile_bytes || arithmetic == Arithmetic::tile_bf16; }
    ChainKernel kernel(int chains) const;  ///< nullptr where it is not built
};

/// Every form that is built, whether or not it runs here; empty on other processors than x86-64.
const std::vector<ChainForm>& chain_forms();

/// Forms that the CPU has and that no better encoding replaces, for these conditions.
std::vector<const ChainForm*> usable_forms(const ComputeWay& way);

/// Operands that keep every value normal, and accumulators to start from. With `ones` a division is one by
/// one, which some dividers finish early; otherwise all bits of the quotient are needed.
void fill_operands(const ChainForm& form, bool ones, ChainOperands& operands);
void fill_accumulators(const ChainForm& form, bool ones, int chains, std::byte* accumulators);

// The parts of the list, one a file.
std::vector<ChainForm> division_forms();
std::vector<ChainForm> integer_forms();
std::vector<ChainForm> narrow_forms();
std::vector<ChainForm> tile_forms();

}  // namespace rooftune::probe
