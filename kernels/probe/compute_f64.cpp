// The compute probe for f64, built for every target.
#define ROOFTUNE_PROBE_T double
#define ROOFTUNE_PROBE_FIND find_f64
// Register count and width are all that matters here, and AVX-512 and AVX2 hold both.
#define HWY_DISABLED_TARGETS (HWY_AVX3_DL | HWY_SSSE3)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/probe/compute_f64.cpp"
#include "hwy/foreach_target.h"
// Behind foreach_target.h.
#include "kernels/probe/compute-inl.h"
#include "kernels/probe/richest.h"

#if HWY_ONCE
namespace rooftune::probe {

ComputeKernel find_f64_kernel(const ComputeWay& way) {
    const auto find = richest(&N_SSE4::find_f64, &N_AVX2::find_f64, &N_AVX3::find_f64);
    return find ? find(way) : nullptr;
}

}  // namespace rooftune::probe
#endif
