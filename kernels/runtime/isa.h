// The instruction set that a family's kernels are taken from. Kernels are written once with Highway,
// compiled for three sets, and chosen at run time.
#pragma once

#include <vector>

#include "models/vocabulary.h"

namespace rooftune {

/// Highway's SSE4, AVX2 and AVX3.
enum class Isa { sse4, avx2, avx3 };

/// The richest instruction set that this CPU has and whose vectors are not wider than the widest of
/// `width_bits`, so that a mask on widths also masks the wider set's instructions. Throws
/// EnvironmentError when the CPU lacks one that `width_bits` promises, or has not even SSE4.
Isa choose_isa(const std::vector<int>& width_bits);

/// Lanes of a kernel for vectors of `width_bits`; element bits mean scalar code, one lane.
constexpr int lanes_of(DType dtype, int width_bits) {
    return width_bits / (8 * static_cast<int>(size_of(dtype)));
}

/// Whether Highway's MulAdd is one instruction wherever vectors of `width_bits` are used: those of 256 bits
/// and more come with AVX2 or AVX3, which have it. Code for narrower ones may run where there is none, as a
/// product and a sum.
constexpr bool vectors_have_fma(int width_bits) {
    return width_bits >= 256;
}

}  // namespace rooftune
