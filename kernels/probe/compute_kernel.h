// What the translation units of the compute probe share: the signature of a built kernel.
#pragma once

#include <cstdint>

#include "kernels/probe/compute.h"

namespace rooftune::probe {

/// Runs `steps` steps of every chain (a multiple of kStepsUnrolled). An operation is acc·factor + term,
/// acc + term or acc·factor. Returns the sum over all accumulators.
using ComputeKernel = double (*)(std::int64_t steps, double seed, double factor, double term);

/// Steps of each chain in one round of the loop; divisible by every period of FmaShare.
inline constexpr int kStepsUnrolled = 12;

/// nullptr where the CPU's best target does not hold this way.
ComputeKernel find_f32_kernel(const ComputeWay& way);
ComputeKernel find_f64_kernel(const ComputeWay& way);

}  // namespace rooftune::probe
