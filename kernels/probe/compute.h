// Peak of the floating-point units: independent chains of dependent operations in registers.
#pragma once

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

/// One way to probe compute. `width_bits` is the element's own size for scalar code.
struct ComputeWay {
    DType dtype = DType::f64;
    int width_bits = 0;
    Mix mix = Mix::fma;
    int chains = 8;
    FmaShare share{};  ///< fma_add only
};

/// Chain counts that are built.
const std::vector<int>& built_chains();

/// The shares tried for the mix: one for all but fma_add.
std::vector<FmaShare> shares_of(Mix mix);

/// Whether this width can run here with all chains in registers (16 vector registers hold at most 12
/// chains beside the operands, 32 hold 24, or 16 chains of scalar code).
bool can_compute(const ComputeWay& way);

/// Work in flops; a repetition is about a microsecond. Throws EnvironmentError unless can_compute().
Work compute_work(const ComputeWay& way, int threads);

}  // namespace rooftune::probe
