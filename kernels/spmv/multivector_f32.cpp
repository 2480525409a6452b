// Kernels for several vectors, floats.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/spmv/multivector_f32.cpp"
#include <hwy/foreach_target.h>

#include "kernels/spmv/multivector-inl.h"
#include "kernels/spmv/select.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::spmv::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR
MultivectorKernel multivector_f32(const FormatKey& format, int vectors) {
    return multivector_kernel<float>(format, vectors);
}
#endif
}  // namespace rooftune::spmv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
