// Peak of the arithmetic units: independent chains of dependent operations in registers. FMA, additions and
// products of f32 and f64 are written with Highway (compute-inl.h); divisions, square roots, integers,
// products of narrow elements and the matrix unit in assembly (compute_chains.h).
#pragma once

#include <string>
#include <vector>

#include "kernels/probe/window.h"
#include "models/vocabulary.h"

namespace rooftune::probe {

/// How a mix of fused multiply-adds and additions is dealt: `fmas` of every `period` operations are
/// fused multiply-adds, the others additions. Which ratio is the fastest depends on the ports: two of
/// three where additions have one unit of their own beside two for FMA, one of two where they have two.
struct FmaShare {
    int fmas = 1;
    int period = 2;
};

/// One way to probe compute. `width_bits` is the element's own size for scalar code, 0 for the matrix unit.
struct ComputeWay {
    DType dtype = DType::f64;
    int width_bits = 0;
    Mix mix = Mix::fma;
    int chains = 8;
    FmaShare share{};    ///< fma_add only
    std::string unit{};  ///< "matrix"; empty or "vector" for all else
    /// Of one chain of fma: what each step depends on is added, as a kernel's sums are, and no factor. A core
    /// may take what is added later than the factors.
    bool sums = false;
    /// Several instructions or operands meet the same conditions (bytes multiplied with and without
    /// saturation, elements widened in the loop or before it, quotients short and long): forms 0, 1, … as
    /// long as can_compute().
    int form = 0;
};

/// Chain counts that are built for f32 and f64. Other mixes and types have 1, 4, 8 and 12 (scalar integers up
/// to 8), the matrix unit 1, 2 and 4.
const std::vector<int>& built_chains();

/// The shares tried for the mix: one for all but fma_add.
std::vector<FmaShare> shares_of(Mix mix);

/// Whether the CPU has this form, width and unit, and can run it with all chains in registers (16 vector
/// registers hold at most 12 chains beside the operands, 32 hold 24, or 16 chains of scalar code).
bool can_compute(const ComputeWay& way);

/// Work in operations, one a lane (2 of FMA and of each product of dot); a repetition is some microseconds.
/// Throws EnvironmentError unless can_compute().
Work compute_work(const ComputeWay& way, int threads);

}  // namespace rooftune::probe
