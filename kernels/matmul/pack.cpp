// Packing, both element types.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/matmul/pack.cpp"
#include <hwy/foreach_target.h>

#include "kernels/matmul/pack-inl.h"
#include "kernels/matmul/select.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::matmul::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR
Packers packers(DType dtype) {
    return dtype == DType::f64 ? packers_of<double>() : packers_of<float>();
}
#endif
}  // namespace rooftune::matmul::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
