// SELL-C-σ: C rows side by side, a vector over rows. A step is one column of the chunk: C values,
// C indices. `kUnroll` vectors of the chunk are summed at once, each in its own accumulator; a
// chunk of more rows is walked several times.
#if defined(ROOFTUNE_SPMV_SELL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTUNE_SPMV_SELL_INL_H_
#undef ROOFTUNE_SPMV_SELL_INL_H_
#else
#define ROOFTUNE_SPMV_SELL_INL_H_
#endif

#include "kernels/spmv/walk-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::spmv::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

/// Stores `count` sums for the sorted positions from `first` on, as many as there are rows.
template <typename T>
HWY_INLINE void store_rows(const KernelArguments& a, std::int64_t first, const T* sums, int count, bool add) {
    T* y = static_cast<T*>(a.y);
    const std::int64_t left = a.rows - first;
    const int n = left < count ? static_cast<int>(left < 0 ? 0 : left) : count;
    for (int l = 0; l < n; ++l) store_sum(y + (a.row_of ? a.row_of[first + l] : first + l), sums[l], add);
}

template <typename T, int kLanes, typename Index, int kUnroll, bool kGathers>
struct SellChunk {
    static HWY_INLINE void segment(const KernelArguments& a, std::uint32_t i, std::uint64_t step,
                                   std::uint32_t length) {
        const hn::FixedTag<T, kLanes> d;
        const T* x = static_cast<const T*>(a.x);
        if constexpr (sizeof(Index) == 2) x += a.base ? a.base[i] : 0;
        const std::int64_t chunk = a.chunk;
        const std::int64_t ahead = a.prefetch;
        const bool add = sizeof(Index) == 2 && continues(a, i);
        const std::int64_t first = static_cast<std::int64_t>(sizeof(Index) == 2 ? group_of(a, i) : i) * chunk;
        const std::size_t start = step * static_cast<std::size_t>(chunk);
        for (std::int64_t v = 0; v < chunk; v += kLanes * kUnroll) {
            const T* value = static_cast<const T*>(a.values) + start + v;
            const Index* index = static_cast<const Index*>(a.indices) + start + v;
            hn::Vec<decltype(d)> acc[kUnroll];
            for (int u = 0; u < kUnroll; ++u) acc[u] = hn::Zero(d);
            for (std::uint32_t k = 0; k < length; ++k, value += chunk, index += chunk) {
                for (int u = 0; u < kUnroll; ++u) {
                    if (ahead) prefetch_ahead(value + u * kLanes, index + u * kLanes, ahead);
                    acc[u] = hn::MulAdd(hn::LoadU(d, value + u * kLanes),
                                        gather<kGathers>(d, x, index + u * kLanes), acc[u]);
                }
            }
            if (!add && !a.row_of && first + v + kLanes * kUnroll <= a.rows) {
                for (int u = 0; u < kUnroll; ++u) {
                    hn::StoreU(acc[u], d, static_cast<T*>(a.y) + first + v + u * kLanes);
                }
            } else {
                alignas(64) T sums[kLanes * kUnroll];
                for (int u = 0; u < kUnroll; ++u) hn::Store(acc[u], d, sums + u * kLanes);
                store_rows(a, first + v, sums, kLanes * kUnroll, add);
            }
        }
    }
};

template <typename T, typename Index, int kUnroll, bool kGathers>
struct SellChunk<T, 1, Index, kUnroll, kGathers> {
    static HWY_INLINE void segment(const KernelArguments& a, std::uint32_t i, std::uint64_t step,
                                   std::uint32_t length) {
        const T* x = static_cast<const T*>(a.x);
        if constexpr (sizeof(Index) == 2) x += a.base ? a.base[i] : 0;
        const std::int64_t chunk = a.chunk;
        const std::int64_t ahead = a.prefetch;
        const bool add = sizeof(Index) == 2 && continues(a, i);
        const std::int64_t first = static_cast<std::int64_t>(sizeof(Index) == 2 ? group_of(a, i) : i) * chunk;
        const std::size_t start = step * static_cast<std::size_t>(chunk);
        for (std::int64_t v = 0; v < chunk; v += kUnroll) {
            const T* value = static_cast<const T*>(a.values) + start + v;
            const Index* index = static_cast<const Index*>(a.indices) + start + v;
            T acc[kUnroll] = {};
            for (std::uint32_t k = 0; k < length; ++k, value += chunk, index += chunk) {
                if (ahead) prefetch_ahead(value, index, ahead);
                for (int u = 0; u < kUnroll; ++u) acc[u] += value[u] * x[index[u]];
            }
            store_rows(a, first + v, acc, kUnroll, add);
        }
    }
};

template <typename T, typename Index, int kUnroll, bool kGathers>
Kernel sell_kernel_of(int lanes) {
    constexpr int kMost = static_cast<int>(HWY_MAX_BYTES / sizeof(T));
    if (lanes == 1) return &run_scalar<SellChunk<T, 1, Index, kUnroll, true>>;
    if constexpr (sizeof(T) == 8) {
        if (lanes == 2) return &run_vector<SellChunk<T, 2, Index, kUnroll, kGathers>>;
    }
    if constexpr (kMost >= 4) {
        if (lanes == 4) return &run_vector<SellChunk<T, 4, Index, kUnroll, kGathers>>;
    }
    if constexpr (kMost >= 8) {
        if (lanes == 8) return &run_vector<SellChunk<T, 8, Index, kUnroll, kGathers>>;
    }
    if constexpr (kMost >= 16) {
        if (lanes == 16) return &run_vector<SellChunk<T, 16, Index, kUnroll, kGathers>>;
    }
    return nullptr;
}

template <typename T, typename Index, bool kGathers>
Kernel sell_kernel_of(const KernelKey& key) {
    switch (key.unroll) {
        case 1:
            return sell_kernel_of<T, Index, 1, kGathers>(key.lanes);
        case 2:
            return sell_kernel_of<T, Index, 2, kGathers>(key.lanes);
        case 4:
            return sell_kernel_of<T, Index, 4, kGathers>(key.lanes);
        default:
            return nullptr;
    }
}

template <typename T, bool kGathers>
Kernel sell_kernel_of_index(const KernelKey& key) {
    return key.index_bits == 32 ? sell_kernel_of<T, std::uint32_t, kGathers>(key)
                                : sell_kernel_of<T, std::uint16_t, kGathers>(key);
}

template <typename T>
Kernel sell_kernel(const KernelKey& key) {
    if constexpr (kHasBothWays) {
        if (!key.gathers && key.lanes > 1) return sell_kernel_of_index<T, false>(key);
    }
    return sell_kernel_of_index<T, true>(key);
}

#endif  // HWY_TARGET != HWY_SCALAR
}  // namespace rooftune::spmv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ROOFTUNE_SPMV_SELL_INL_H_
