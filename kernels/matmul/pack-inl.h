// Packing: a strip of A or B copied to the order in which the tile kernels read it.
#if defined(ROOFTUNE_MATMUL_PACK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTUNE_MATMUL_PACK_INL_H_
#undef ROOFTUNE_MATMUL_PACK_INL_H_
#else
#define ROOFTUNE_MATMUL_PACK_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/matmul/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::matmul::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR
namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
void pack_rows(const void* in, std::int64_t ld, std::int64_t count, std::int64_t steps, std::int64_t width,
               void* out) {
    const hn::ScalableTag<T> wide;
    const hn::FixedTag<T, 16 / sizeof(T)> narrow;
    constexpr std::int64_t kWide = HWY_MAX_BYTES / sizeof(T);
    constexpr std::int64_t kNarrow = 16 / sizeof(T);
    const T* from = static_cast<const T*>(in);
    T* to = static_cast<T*>(out);
    for (std::int64_t p = 0; p < steps; ++p, from += ld, to += width) {
        std::int64_t i = 0;
        for (; i + kWide <= count; i += kWide) hn::StoreU(hn::LoadU(wide, from + i), wide, to + i);
        for (; i + kNarrow <= count; i += kNarrow) hn::StoreU(hn::LoadU(narrow, from + i), narrow, to + i);
        for (; i < count; ++i) to[i] = from[i];
        for (; i < width; ++i) to[i] = T{0};
    }
}

/// Two vectors of 16 bytes (doubles), or four (floats), transposed: rows ld apart to rows width apart.
HWY_INLINE void transpose_block(const double* in, std::int64_t ld, std::int64_t width, double* out) {
    const hn::FixedTag<double, 2> d;
    const auto a = hn::LoadU(d, in);
    const auto b = hn::LoadU(d, in + ld);
    hn::StoreU(hn::InterleaveLower(d, a, b), d, out);
    hn::StoreU(hn::InterleaveUpper(d, a, b), d, out + width);
}

HWY_INLINE void transpose_block(const float* in, std::int64_t ld, std::int64_t width, float* out) {
    const hn::FixedTag<float, 4> d;
    const hn::FixedTag<double, 2> pairs;
    const auto r0 = hn::LoadU(d, in);
    const auto r1 = hn::LoadU(d, in + ld);
    const auto r2 = hn::LoadU(d, in + 2 * ld);
    const auto r3 = hn::LoadU(d, in + 3 * ld);
    const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, r0, r1));
    const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, r2, r3));
    const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, r0, r1));
    const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, r2, r3));
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, out);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, out + width);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, out + 2 * width);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, out + 3 * width);
}

template <typename T>
void pack_columns(const void* in, std::int64_t ld, std::int64_t count, std::int64_t steps, std::int64_t width,
                  void* out) {
    constexpr std::int64_t kBlock = 16 / sizeof(T);
    const T* from = static_cast<const T*>(in);
    T* to = static_cast<T*>(out);
    const std::int64_t whole = count - count % kBlock;
    std::int64_t p = 0;
    for (; p + kBlock <= steps; p += kBlock) {
        for (std::int64_t i = 0; i < whole; i += kBlock)
            transpose_block(from + i * ld + p, ld, width, to + p * width + i);
        for (std::int64_t q = p; q < p + kBlock; ++q) {
            for (std::int64_t i = whole; i < width; ++i)
                to[q * width + i] = i < count ? from[i * ld + q] : T{0};
        }
    }
    for (; p < steps; ++p) {
        for (std::int64_t i = 0; i < width; ++i) to[p * width + i] = i < count ? from[i * ld + p] : T{0};
    }
}

template <typename T>
Packers packers_of() {
    return {&pack_rows<T>, &pack_columns<T>};
}

#endif  // HWY_TARGET != HWY_SCALAR
}  // namespace rooftune::matmul::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ROOFTUNE_MATMUL_PACK_INL_H_
