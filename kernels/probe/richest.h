// Which of the instruction sets that a probe is built for it is run with.
#pragma once

#include "hwy/targets.h"

namespace rooftune::probe {

/// The richest that this processor has of functions built for Highway's SSE4, AVX2 and AVX3; null where it
/// has none of them.
///
/// Highway's own dispatch is not asked: from 1.1 on it knows sets beyond AVX3 (those of Zen 4 and Sapphire
/// Rapids) and prefers them, and for those nothing is built here that is wider than 128 bits. The probes of
/// wide vectors were gone on such processors, while the kernels, which name their sets, still used them.
template <typename Function>
Function* richest(Function* sse4, Function* avx2, Function* avx3) {
    const auto supported = hwy::SupportedTargets();
    if ((supported & HWY_AVX3) != 0) return avx3;
    if ((supported & HWY_AVX2) != 0) return avx2;
    return (supported & HWY_SSE4) != 0 ? sse4 : nullptr;
}

}  // namespace rooftune::probe
