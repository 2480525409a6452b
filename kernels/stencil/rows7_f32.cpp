// Kernels of the 7-point stencil, floats.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/stencil/rows7_f32.cpp"
#include <hwy/foreach_target.h>

#include "kernels/stencil/rows-inl.h"
#include "kernels/stencil/select.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::stencil::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR
Kernel rows7_f32(const KernelKey& key) {
    return rows_kernel<float, 7>(key);
}
#endif
}  // namespace rooftune::stencil::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
