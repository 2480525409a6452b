// Kernels of the 27-point stencil, doubles.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/stencil/rows27_f64.cpp"
#include <hwy/foreach_target.h>

#include "kernels/stencil/rows-inl.h"
#include "kernels/stencil/select.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::stencil::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR
Kernel rows27_f64(const KernelKey& key) {
    return rows_kernel<double, 27>(key);
}
#endif
}  // namespace rooftune::stencil::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
