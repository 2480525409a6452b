// The gathers, built for every target.
#define HWY_DISABLED_TARGETS (HWY_AVX3_DL | HWY_SSSE3)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/probe/gather_walk.cpp"
#include "hwy/foreach_target.h"
// Behind foreach_target.h.
#include "hwy/highway.h"
#include "kernels/probe/gather_kernel.h"
#include "kernels/probe/richest.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::probe {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
void scalar_gather(const std::byte* table, const std::uint32_t* index, std::size_t count) {
    const T* elements = reinterpret_cast<const T*>(table);
    for (std::size_t i = 0; i < count; i += 8) {
        for (std::size_t k = 0; k < 8; ++k) __asm__ volatile("" : : "x"(elements[index[i + k]]));
    }
}

template <typename T, std::size_t kLanes>
void vector_gather(const std::byte* table, const std::uint32_t* index, std::size_t count) {
    const hn::FixedTag<T, kLanes> d;
    const hn::FixedTag<std::int32_t, kLanes> di32;
    const T* elements = reinterpret_cast<const T*>(table);
    const auto* signed_index = reinterpret_cast<const std::int32_t*>(index);
    for (std::size_t i = 0; i < count; i += 4 * kLanes) {
        for (std::size_t k = 0; k < 4; ++k) {
            const auto narrow = hn::LoadU(di32, signed_index + i + k * kLanes);
            if constexpr (sizeof(T) == 8) {
                const hn::FixedTag<std::int64_t, kLanes> di64;
                const auto v = hn::GatherIndex(d, elements, hn::PromoteTo(di64, narrow));
                __asm__ volatile("" : : "v"(v.raw));
            } else {
                const auto v = hn::GatherIndex(d, elements, narrow);
                __asm__ volatile("" : : "v"(v.raw));
            }
        }
    }
}

template <typename T>
GatherKernel by_width(int width_bits) {
    switch (width_bits) {
        case 8 * sizeof(T):
            return &scalar_gather<T>;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
        case 256:
            return &vector_gather<T, 32 / sizeof(T)>;
#endif
#if HWY_TARGET == HWY_AVX3
        case 512:
            return &vector_gather<T, 64 / sizeof(T)>;
#endif
        default:
            return nullptr;
    }
}

GatherKernel find(const GatherWay& way) {
    return way.dtype == DType::f64 ? by_width<double>(way.width_bits) : by_width<float>(way.width_bits);
}

#else

GatherKernel find(const GatherWay&) {
    return nullptr;
}

#endif

}  // namespace

GatherKernel gather_for(const GatherWay& way) {
    return find(way);
}

}  // namespace HWY_NAMESPACE
}  // namespace rooftune::probe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rooftune::probe {

GatherKernel find_gather(const GatherWay& way) {
    const auto find = richest(&N_SSE4::gather_for, &N_AVX2::gather_for, &N_AVX3::gather_for);
    return find ? find(way) : nullptr;
}

}  // namespace rooftune::probe
#endif
