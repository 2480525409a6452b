// CSR kernels, floats.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/spmv/csr_f32.cpp"
#include <hwy/foreach_target.h>

#include "kernels/spmv/csr-inl.h"
#include "kernels/spmv/select.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::spmv::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR
Kernel csr_f32(const KernelKey& key) {
    return csr_kernel<float>(key);
}
#endif
}  // namespace rooftune::spmv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
