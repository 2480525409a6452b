// Kernels for several vectors, doubles.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/spmv/multivector_f64.cpp"
#include <hwy/foreach_target.h>

#include "kernels/spmv/multivector-inl.h"
#include "kernels/spmv/select.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::spmv::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR
MultivectorKernel multivector_f64(const FormatKey& format, int vectors) {
    return multivector_kernel<double>(format, vectors);
}
#endif
}  // namespace rooftune::spmv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
