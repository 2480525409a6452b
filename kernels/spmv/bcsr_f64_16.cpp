// BCSR kernels, doubles, 16-bit indices.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/spmv/bcsr_f64_16.cpp"
#include <hwy/foreach_target.h>

#include "kernels/spmv/bcsr-inl.h"
#include "kernels/spmv/select.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::spmv::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR
Kernel bcsr_f64_16(const KernelKey& key) {
    return bcsr_kernel_of_index<double, std::uint16_t>(key);
}
#endif
}  // namespace rooftune::spmv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
