// SELL kernels, doubles.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/spmv/sell_f64.cpp"
#include <hwy/foreach_target.h>

#include "kernels/spmv/select.h"
#include "kernels/spmv/sell-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::spmv::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR
Kernel sell_f64(const KernelKey& key) {
    return sell_kernel<double>(key);
}
#endif
}  // namespace rooftune::spmv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
