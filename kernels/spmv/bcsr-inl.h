// BCSR r×c: a vector over the rows of a block, each x broadcast. Values are stored column by column
// within a block. Where r is no multiple of the lanes, the last load of a column reads into what
// follows and those lanes are dropped at the end: lanes never mix.
#if defined(ROOFTUNE_SPMV_BCSR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTUNE_SPMV_BCSR_INL_H_
#undef ROOFTUNE_SPMV_BCSR_INL_H_
#else
#define ROOFTUNE_SPMV_BCSR_INL_H_
#endif

#include "kernels/spmv/walk-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::spmv::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

/// Stores the sums of block row `group`, as many as there are rows.
template <typename T, int kRows>
HWY_INLINE void store_block_rows(const KernelArguments& a, std::uint64_t group, const T* sums, bool add) {
    const std::int64_t first = static_cast<std::int64_t>(group) * kRows;
    const std::int64_t left = a.rows - first;
    T* y = static_cast<T*>(a.y) + first;
    if (left >= kRows) {
        for (int l = 0; l < kRows; ++l) store_sum(y + l, sums[l], add);
    } else {
        for (std::int64_t l = 0; l < left; ++l) store_sum(y + l, sums[l], add);
    }
}

template <typename T, int kRows, int kCols, int kLanes, typename Index, int kUnroll>
struct BlockRow {
    static constexpr int kVectors = (kRows + kLanes - 1) / kLanes;
    using D = hn::FixedTag<T, kLanes>;

    static HWY_INLINE void block(const T* value, const T* x, hn::Vec<D>* acc) {
        const D d;
        for (int j = 0; j < kCols; ++j) {
            const auto broadcast = hn::Set(d, x[j]);
            for (int v = 0; v < kVectors; ++v) {
                acc[v] = hn::MulAdd(hn::LoadU(d, value + j * kRows + v * kLanes), broadcast, acc[v]);
            }
        }
    }

    static HWY_INLINE void segment(const KernelArguments& a, std::uint32_t i, std::uint64_t step,
                                   std::uint32_t length) {
        const D d;
        const T* value = static_cast<const T*>(a.values) + step * (kRows * kCols);
        const Index* index = static_cast<const Index*>(a.indices) + step;
        const T* x = static_cast<const T*>(a.x);
        if constexpr (sizeof(Index) == 2) x += a.base ? std::size_t{a.base[i]} * kCols : 0;
        const std::int64_t ahead = a.prefetch;
        hn::Vec<D> acc[kUnroll * kVectors];
        for (int v = 0; v < kUnroll * kVectors; ++v) acc[v] = hn::Zero(d);
        std::uint32_t b = 0;
        for (; b + kUnroll <= length; b += kUnroll) {
            for (int u = 0; u < kUnroll; ++u, value += kRows * kCols) {
                if (ahead) prefetch_ahead(value, index + b + u, ahead);
                block(value, x + std::size_t{index[b + u]} * kCols, acc + u * kVectors);
            }
        }
        if constexpr (kUnroll == 2) {
            if (b < length) block(value, x + std::size_t{index[b]} * kCols, acc);
            for (int v = 0; v < kVectors; ++v) acc[v] = hn::Add(acc[v], acc[kVectors + v]);
        }
        alignas(64) T sums[kVectors * kLanes];
        for (int v = 0; v < kVectors; ++v) hn::Store(acc[v], d, sums + v * kLanes);
        if constexpr (sizeof(Index) == 2) {
            store_block_rows<T, kRows>(a, group_of(a, i), sums, continues(a, i));
        } else {
            store_block_rows<T, kRows>(a, i, sums, false);
        }
    }
};

template <typename T, int kRows, int kCols, typename Index, int kUnroll>
struct BlockRow<T, kRows, kCols, 1, Index, kUnroll> {
    static HWY_INLINE void segment(const KernelArguments& a, std::uint32_t i, std::uint64_t step,
                                   std::uint32_t length) {
        const T* value = static_cast<const T*>(a.values) + step * (kRows * kCols);
        const Index* index = static_cast<const Index*>(a.indices) + step;
        const T* x = static_cast<const T*>(a.x);
        if constexpr (sizeof(Index) == 2) x += a.base ? std::size_t{a.base[i]} * kCols : 0;
        const std::int64_t ahead = a.prefetch;
        T acc[kRows] = {};
        for (std::uint32_t b = 0; b < length; ++b, value += kRows * kCols) {
            if (ahead) prefetch_ahead(value, index + b, ahead);
            const T* xb = x + std::size_t{index[b]} * kCols;
            for (int j = 0; j < kCols; ++j) {
                for (int r = 0; r < kRows; ++r) acc[r] += value[j * kRows + r] * xb[j];
            }
        }
        if constexpr (sizeof(Index) == 2) {
            store_block_rows<T, kRows>(a, group_of(a, i), acc, continues(a, i));
        } else {
            store_block_rows<T, kRows>(a, i, acc, false);
        }
    }
};

template <typename T, int kRows, int kCols, int kLanes, typename Index>
Kernel bcsr_kernel_at(int unroll) {
    constexpr int kMost = static_cast<int>(HWY_MAX_BYTES / sizeof(T));
    if constexpr (kLanes <= kMost) {
        if (unroll == 1) return &run_vector<BlockRow<T, kRows, kCols, kLanes, Index, 1>>;
        if constexpr (kLanes >= kRows) {
            if (unroll == 2) return &run_vector<BlockRow<T, kRows, kCols, kLanes, Index, 2>>;
        }
    }
    return nullptr;
}

template <typename T, int kRows, int kCols, typename Index>
Kernel bcsr_kernel_of(const KernelKey& key) {
    constexpr int kLeast = 16 / static_cast<int>(sizeof(T));  // lanes of 128 bits
    constexpr int kMost = block_lanes_most(kRows);
    if (key.lanes == 1)
        return key.unroll == 1 ? &run_scalar<BlockRow<T, kRows, kCols, 1, Index, 1>> : nullptr;
    const int lanes = block_lanes(kRows, key.lanes);
    if constexpr (kMost <= kLeast)
        return lanes == kMost ? bcsr_kernel_at<T, kRows, kCols, kMost, Index>(key.unroll) : nullptr;
    if constexpr (kMost > kLeast) {
        if (lanes == kLeast) return bcsr_kernel_at<T, kRows, kCols, kLeast, Index>(key.unroll);
        if (lanes == 2 * kLeast) return bcsr_kernel_at<T, kRows, kCols, 2 * kLeast, Index>(key.unroll);
    }
    if constexpr (kMost > 2 * kLeast) {
        if (lanes == 4 * kLeast) return bcsr_kernel_at<T, kRows, kCols, 4 * kLeast, Index>(key.unroll);
    }
    return nullptr;
}

template <typename T, typename Index>
Kernel bcsr_kernel_of_index(const KernelKey& key) {
    switch (key.block.rows * 10 + key.block.cols) {
        case 21:
            return bcsr_kernel_of<T, 2, 1, Index>(key);
        case 22:
            return bcsr_kernel_of<T, 2, 2, Index>(key);
        case 24:
            return bcsr_kernel_of<T, 2, 4, Index>(key);
        case 31:
            return bcsr_kernel_of<T, 3, 1, Index>(key);
        case 33:
            return bcsr_kernel_of<T, 3, 3, Index>(key);
        case 41:
            return bcsr_kernel_of<T, 4, 1, Index>(key);
        case 42:
            return bcsr_kernel_of<T, 4, 2, Index>(key);
        case 44:
            return bcsr_kernel_of<T, 4, 4, Index>(key);
        case 63:
            return bcsr_kernel_of<T, 6, 3, Index>(key);
        case 66:
            return bcsr_kernel_of<T, 6, 6, Index>(key);
        case 81:
            return bcsr_kernel_of<T, 8, 1, Index>(key);
        case 82:
            return bcsr_kernel_of<T, 8, 2, Index>(key);
        case 84:
            return bcsr_kernel_of<T, 8, 4, Index>(key);
        case 88:
            return bcsr_kernel_of<T, 8, 8, Index>(key);
        default:
            return nullptr;
    }
}

#endif  // HWY_TARGET != HWY_SCALAR
}  // namespace rooftune::spmv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ROOFTUNE_SPMV_BCSR_INL_H_
