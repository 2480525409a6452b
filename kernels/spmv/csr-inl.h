// CSR: y[i] = Σ value[k]·x[column[k]], a vector over k, with `kUnroll` accumulators.
#if defined(ROOFTUNE_SPMV_CSR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTUNE_SPMV_CSR_INL_H_
#undef ROOFTUNE_SPMV_CSR_INL_H_
#else
#define ROOFTUNE_SPMV_CSR_INL_H_
#endif

#include "kernels/spmv/walk-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::spmv::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

template <typename T, int kLanes, typename Index, int kUnroll, bool kGathers>
struct CsrRow {
    static HWY_INLINE T sum(const T* value, const Index* index, const T* x, std::size_t length,
                            std::int64_t ahead) {
        const hn::FixedTag<T, kLanes> d;
        hn::Vec<decltype(d)> acc[kUnroll];
        for (int u = 0; u < kUnroll; ++u) acc[u] = hn::Zero(d);
        std::size_t k = 0;
        if constexpr (kUnroll > 1) {
            for (; k + kUnroll * kLanes <= length; k += kUnroll * kLanes) {
                if (ahead) prefetch_ahead(value + k, index + k, ahead);
                for (int u = 0; u < kUnroll; ++u) {
                    const std::size_t at = k + static_cast<std::size_t>(u) * kLanes;
                    acc[u] = hn::MulAdd(hn::LoadU(d, value + at), gather<kGathers>(d, x, index + at), acc[u]);
                }
            }
        }
        for (; k + kLanes <= length; k += kLanes) {
            if (ahead) prefetch_ahead(value + k, index + k, ahead);
            acc[0] = hn::MulAdd(hn::LoadU(d, value + k), gather<kGathers>(d, x, index + k), acc[0]);
        }
        if (k < length) {
            if (ahead) prefetch_ahead(value + k, index + k, ahead);
            const std::size_t n = length - k;
            acc[kUnroll - 1] = hn::MulAdd(load_first(d, value + k, n),
                                          gather_first<kGathers>(d, x, index + k, n), acc[kUnroll - 1]);
        }
        if constexpr (kUnroll == 4) {
            acc[0] = hn::Add(acc[0], acc[2]);
            acc[1] = hn::Add(acc[1], acc[3]);
        }
        if constexpr (kUnroll > 1) acc[0] = hn::Add(acc[0], acc[1]);
        return hn::GetLane(hn::SumOfLanes(d, acc[0]));
    }

    static HWY_INLINE void segment(const KernelArguments& a, std::uint32_t i, std::uint64_t step,
                                   std::uint32_t length) {
        const T* x = static_cast<const T*>(a.x);
        if constexpr (sizeof(Index) == 2) x += a.base ? a.base[i] : 0;
        const T s = sum(static_cast<const T*>(a.values) + step, static_cast<const Index*>(a.indices) + step,
                        x, length, a.prefetch);
        T* y = static_cast<T*>(a.y);
        if constexpr (sizeof(Index) == 2) {
            store_sum(y + group_of(a, i), s, continues(a, i));
        } else {
            y[i] = s;
        }
    }
};

template <typename T, typename Index, int kUnroll, bool kGathers>
struct CsrRow<T, 1, Index, kUnroll, kGathers> {
    static HWY_INLINE T sum(const T* value, const Index* index, const T* x, std::size_t length,
                            std::int64_t ahead) {
        T acc[kUnroll] = {};
        std::size_t k = 0;
        for (; k + kUnroll <= length; k += kUnroll) {
            if (ahead) prefetch_ahead(value + k, index + k, ahead);
            for (int u = 0; u < kUnroll; ++u) acc[u] += value[k + u] * x[index[k + u]];
        }
        if constexpr (kUnroll > 1) {
            for (; k < length; ++k) acc[0] += value[k] * x[index[k]];
        }
        if constexpr (kUnroll == 4) return (acc[0] + acc[2]) + (acc[1] + acc[3]);
        if constexpr (kUnroll == 2) return acc[0] + acc[1];
        return acc[0];
    }

    static HWY_INLINE void segment(const KernelArguments& a, std::uint32_t i, std::uint64_t step,
                                   std::uint32_t length) {
        const T* x = static_cast<const T*>(a.x);
        if constexpr (sizeof(Index) == 2) x += a.base ? a.base[i] : 0;
        const T s = sum(static_cast<const T*>(a.values) + step, static_cast<const Index*>(a.indices) + step,
                        x, length, a.prefetch);
        T* y = static_cast<T*>(a.y);
        if constexpr (sizeof(Index) == 2) {
            store_sum(y + group_of(a, i), s, continues(a, i));
        } else {
            y[i] = s;
        }
    }
};

template <typename T, typename Index, int kUnroll, bool kGathers>
Kernel csr_kernel_of(int lanes) {
    constexpr int kMost = static_cast<int>(HWY_MAX_BYTES / sizeof(T));
    if (lanes == 1) return &run_scalar<CsrRow<T, 1, Index, kUnroll, true>>;
    if constexpr (sizeof(T) == 8) {
        if (lanes == 2) return &run_vector<CsrRow<T, 2, Index, kUnroll, kGathers>>;
    }
    if constexpr (kMost >= 4) {
        if (lanes == 4) return &run_vector<CsrRow<T, 4, Index, kUnroll, kGathers>>;
    }
    if constexpr (kMost >= 8) {
        if (lanes == 8) return &run_vector<CsrRow<T, 8, Index, kUnroll, kGathers>>;
    }
    if constexpr (kMost >= 16) {
        if (lanes == 16) return &run_vector<CsrRow<T, 16, Index, kUnroll, kGathers>>;
    }
    return nullptr;
}

template <typename T, typename Index, bool kGathers>
Kernel csr_kernel_of(const KernelKey& key) {
    switch (key.unroll) {
        case 1:
            return csr_kernel_of<T, Index, 1, kGathers>(key.lanes);
        case 2:
            return csr_kernel_of<T, Index, 2, kGathers>(key.lanes);
        case 4:
            return csr_kernel_of<T, Index, 4, kGathers>(key.lanes);
        default:
            return nullptr;
    }
}

template <typename T, bool kGathers>
Kernel csr_kernel_of_index(const KernelKey& key) {
    return key.index_bits == 32 ? csr_kernel_of<T, std::uint32_t, kGathers>(key)
                                : csr_kernel_of<T, std::uint16_t, kGathers>(key);
}

template <typename T>
Kernel csr_kernel(const KernelKey& key) {
    if constexpr (kHasBothWays) {
        if (!key.gathers && key.lanes > 1) return csr_kernel_of_index<T, false>(key);
    }
    return csr_kernel_of_index<T, true>(key);
}

#endif  // HWY_TARGET != HWY_SCALAR
}  // namespace rooftune::spmv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ROOFTUNE_SPMV_CSR_INL_H_
