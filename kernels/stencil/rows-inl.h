// Bundles of rows, written once for every element type, width, bundle, unroll and kind of store.
#if defined(ROOFTUNE_STENCIL_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTUNE_STENCIL_ROWS_INL_H_
#undef ROOFTUNE_STENCIL_ROWS_INL_H_
#else
#define ROOFTUNE_STENCIL_ROWS_INL_H_
#endif

#include <hwy/highway.h>

#include "kernels/runtime/prefetch.h"
#include "kernels/stencil/kernel.h"
#include "kernels/stencil/scalar_code.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::stencil::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR
namespace hn = hwy::HWY_NAMESPACE;

template <typename T, int kLanes>
struct Simd {
    using D = hn::FixedTag<T, kLanes>;
    using V = hn::Vec<D>;
    static HWY_INLINE V load(const T* from) { return hn::LoadU(D(), from); }
    static HWY_INLINE V set(double value) { return hn::Set(D(), static_cast<T>(value)); }
    static HWY_INLINE V add(V a, V b) { return hn::Add(a, b); }
    static HWY_INLINE V mul(V a, V b) { return hn::Mul(a, b); }
    static HWY_INLINE V mul_add(V a, V b, V c) { return hn::MulAdd(a, b, c); }
    template <Store kStore>
    static HWY_INLINE void store(V v, T* to) {
        if constexpr (kStore == Store::nontemporal) {
            hn::Stream(v, D(), to);
        } else {
            hn::StoreU(v, D(), to);
        }
    }
};

template <typename T>
struct Simd<T, 1> {
    using V = T;
    static HWY_INLINE V load(const T* from) { return *from; }
    static HWY_INLINE V set(double value) { return static_cast<T>(value); }
    static HWY_INLINE V add(V a, V b) { return a + b; }
    static HWY_INLINE V mul(V a, V b) { return a * b; }
    static HWY_INLINE V mul_add(V a, V b, V c) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
        if constexpr (sizeof(T) == 8) {
            return __builtin_fma(a, b, c);
        } else {
            return __builtin_fmaf(a, b, c);
        }
#else
        return a * b + c;
#endif
    }
    template <Store kStore>
    static HWY_INLINE void store(V v, T* to) {
        *to = v;
    }
};

/// The sums of a bundle at one x, in an order that no bundle and no width changes: the same point gives
/// the same bits in every kernel of one instruction set.
template <typename T, int kPoints, int kLanes, int kY, int kZ>
struct Bundle {
    using S = Simd<T, kLanes>;
    using V = typename S::V;

    struct Weights {
        V w0, w1, w2, w3;
        HWY_INLINE explicit Weights(const double* c)
            : w0(S::set(c[0])), w1(S::set(c[1])), w2(S::set(c[2])), w3(S::set(c[3])) {}
    };

    template <Store kStore>
    static HWY_INLINE void at(const T* const* in, T* const* out, const Weights& w, std::int64_t x) {
        if constexpr (kPoints == 7) {
            seven<kStore>(in, out, w, x);
        } else {
            twenty_seven<kStore>(in, out, w, x);
        }
    }

private:
    static constexpr int kRows = kY + 2;

    // Everything is loaded before anything is stored: the compiler cannot know that rows do not overlap.
    template <Store kStore>
    static HWY_INLINE void seven(const T* const* in, T* const* out, const Weights& w, std::int64_t x) {
        V centre[(kZ + 2) * kRows];
        V along[kY * kZ];
#pragma GCC unroll 8
        for (int k = 0; k < kZ + 2; ++k) {
#pragma GCC unroll 8
            for (int j = 0; j < kRows; ++j) {
                const bool outer_z = k == 0 || k == kZ + 1;
                const bool outer_y = j == 0 || j == kRows - 1;
                if (!(outer_z && outer_y)) centre[k * kRows + j] = S::load(in[k * kRows + j] + x);
                if (!outer_z && !outer_y) {
                    const T* row = in[k * kRows + j] + x;
                    along[(k - 1) * kY + j - 1] = S::add(S::load(row - 1), S::load(row + 1));
                }
            }
        }
#pragma GCC unroll 8
        for (int k = 0; k < kZ; ++k) {
#pragma GCC unroll 8
            for (int j = 0; j < kY; ++j) {
                const V* c = centre + (k + 1) * kRows + j + 1;
                const V y = S::add(c[-1], c[1]);
                const V z = S::add(c[-kRows], c[kRows]);
                const V faces = S::add(S::add(along[k * kY + j], y), z);
                S::template store<kStore>(S::mul_add(w.w1, faces, S::mul(w.w0, c[0])), out[k * kY + j] + x);
            }
        }
    }

    template <Store kStore>
    static HWY_INLINE void twenty_seven(const T* const* in, T* const* out, const Weights& w, std::int64_t x) {
        V centre[(kZ + 2) * kRows];
        V along[(kZ + 2) * kRows];
        // Whole, or the arrays stay in memory: two rows are twelve.
#pragma GCC unroll 12
        for (int i = 0; i < (kZ + 2) * kRows; ++i) {
            const T* row = in[i] + x;
            centre[i] = S::load(row);
            along[i] = S::add(S::load(row - 1), S::load(row + 1));
        }
        V result[kY * kZ];
#pragma GCC unroll 8
        for (int k = 0; k < kZ; ++k) {
#pragma GCC unroll 8
            for (int j = 0; j < kY; ++j) {
                const int i = (k + 1) * kRows + j + 1;
                const V* c = centre + i;
                const V* a = along + i;
                // Pairs in y of one plane: neighbours in z use them again.
                const V pair_low = S::add(c[-kRows - 1], c[-kRows + 1]);
                const V pair_mid = S::add(c[-1], c[1]);
                const V pair_high = S::add(c[kRows - 1], c[kRows + 1]);
                const V along_low = S::add(a[-kRows - 1], a[-kRows + 1]);
                const V along_mid = S::add(a[-1], a[1]);
                const V along_high = S::add(a[kRows - 1], a[kRows + 1]);
                const V faces = S::add(S::add(a[0], pair_mid), S::add(c[-kRows], c[kRows]));
                const V edges =
                    S::add(S::add(along_mid, S::add(a[-kRows], a[kRows])), S::add(pair_low, pair_high));
                const V corners = S::add(along_low, along_high);
                V sum = S::mul(w.w0, c[0]);
                sum = S::mul_add(w.w1, faces, sum);
                sum = S::mul_add(w.w2, edges, sum);
                result[k * kY + j] = S::mul_add(w.w3, corners, sum);
            }
        }
#pragma GCC unroll 8
        for (int i = 0; i < kY * kZ; ++i) S::template store<kStore>(result[i], out[i] + x);
    }
};

/// What whole vectors leave of one row: at most one vector of each smaller width.
template <typename T, int kPoints, int kLanes>
HWY_NOINLINE void tail(const T* const* in, T* out, const double* c, std::int64_t x, std::int64_t end) {
    using B = Bundle<T, kPoints, kLanes, 1, 1>;
    if (x + kLanes <= end) {
        B::template at<Store::regular>(in, &out, typename B::Weights(c), x);
        x += kLanes;
    }
    if constexpr (kLanes > 1) {
        if (x < end) tail<T, kPoints, kLanes / 2>(in, out, c, x, end);
    }
}

template <typename T, int kPoints, int kLanes, int kY, int kZ, int kUnroll, Store kStore>
HWY_INLINE void bundle_of_rows(const RowArguments& a) {
    using B = Bundle<T, kPoints, kLanes, kY, kZ>;
    constexpr int kRows = kY + 2;
    const T* in[(kZ + 2) * kRows];
    T* out[kY * kZ];
    for (int i = 0; i < (kZ + 2) * kRows; ++i) in[i] = static_cast<const T*>(a.in[i]);
    for (int i = 0; i < kY * kZ; ++i) out[i] = static_cast<T*>(a.out[i]);
    const typename B::Weights weights(a.coefficients);
    const std::int64_t ahead = a.prefetch / static_cast<std::int64_t>(sizeof(T));
    // Only the planes not met before miss the caches.
    const auto fetch = [&](std::int64_t x) HWY_ATTR {
        if (ahead == 0) return;
#pragma GCC unroll 8
        for (int k = 2; k < kZ + 2; ++k) {
#pragma GCC unroll 8
            for (int j = 1; j <= kY; ++j) prefetch_line(in[k * kRows + j] + x + ahead);
        }
    };
    std::int64_t x = a.begin;
    if constexpr (kStore == Store::nontemporal) {
        // A line that is not written whole would be combined with what lies in memory.
        constexpr std::int64_t kLine = 64 / sizeof(T);
        const std::int64_t whole = a.begin + (a.end - a.begin) / kLine * kLine;
        for (; x + kUnroll * kLanes <= whole; x += kUnroll * kLanes) {
#pragma GCC unroll 8
            for (int u = 0; u < kUnroll; ++u) {
                fetch(x + u * kLanes);
                B::template at<kStore>(in, out, weights, x + u * kLanes);
            }
        }
        if constexpr (kUnroll > 1) {
            for (; x + kLanes <= whole; x += kLanes) B::template at<kStore>(in, out, weights, x);
        }
    } else {
        for (; x + kUnroll * kLanes <= a.end; x += kUnroll * kLanes) {
#pragma GCC unroll 8
            for (int u = 0; u < kUnroll; ++u) {
                fetch(x + u * kLanes);
                B::template at<kStore>(in, out, weights, x + u * kLanes);
            }
        }
    }
    if constexpr (kUnroll > 1 || kStore == Store::nontemporal) {
        for (; x + kLanes <= a.end; x += kLanes) B::template at<Store::regular>(in, out, weights, x);
    }
    if constexpr (kLanes > 1) {
        if (x == a.end) return;
        for (int k = 0; k < kZ; ++k) {
            for (int j = 0; j < kY; ++j) {
                const T* rows[9];
                for (int i = 0; i < 9; ++i) rows[i] = in[(k + i / 3) * kRows + j + i % 3];
                tail<T, kPoints, kLanes / 2>(rows, out[k * kY + j], a.coefficients, x, a.end);
            }
        }
    }
}

template <typename T, int kPoints, int kLanes, int kY, int kZ, int kUnroll, Store kStore>
HWY_NOINLINE void run_vector(const RowArguments& a) {
    bundle_of_rows<T, kPoints, kLanes, kY, kZ, kUnroll, kStore>(a);
}

template <typename T, int kPoints, int kY, int kZ, int kUnroll>
ROOFTUNE_SCALAR_CODE HWY_NOINLINE void run_scalar(const RowArguments& a) {
    bundle_of_rows<T, kPoints, 1, kY, kZ, kUnroll, Store::regular>(a);
}

template <typename T, int kPoints, int kLanes, int kY, int kZ, int kUnroll>
Kernel with_store(Store store) {
    if constexpr (kLanes == 1) {
        return store == Store::regular ? &run_scalar<T, kPoints, kY, kZ, kUnroll> : nullptr;
    } else {
        if (store == Store::regular) return &run_vector<T, kPoints, kLanes, kY, kZ, kUnroll, Store::regular>;
        return &run_vector<T, kPoints, kLanes, kY, kZ, kUnroll, Store::nontemporal>;
    }
}

template <typename T, int kPoints, int kLanes, int kY, int kZ>
Kernel with_unroll(const KernelKey& key) {
    if constexpr (!block_exists(kPoints, {kY, kZ})) {
        return nullptr;
    } else {
        if (key.unroll == 1) return with_store<T, kPoints, kLanes, kY, kZ, 1>(key.store);
        if constexpr (block_unrolls({kY, kZ})) {
            if (key.unroll == 2) return with_store<T, kPoints, kLanes, kY, kZ, 2>(key.store);
        }
        return nullptr;
    }
}

template <typename T, int kPoints, int kLanes>
Kernel with_block(const KernelKey& key) {
    if (key.block == RegisterBlock{1, 1}) return with_unroll<T, kPoints, kLanes, 1, 1>(key);
    if (key.block == RegisterBlock{2, 1}) return with_unroll<T, kPoints, kLanes, 2, 1>(key);
    if (key.block == RegisterBlock{4, 1}) return with_unroll<T, kPoints, kLanes, 4, 1>(key);
    if (key.block == RegisterBlock{1, 2}) return with_unroll<T, kPoints, kLanes, 1, 2>(key);
    if (key.block == RegisterBlock{2, 2}) return with_unroll<T, kPoints, kLanes, 2, 2>(key);
    return nullptr;
}

template <typename T, int kPoints>
Kernel rows_kernel(const KernelKey& key) {
    constexpr int kMost = static_cast<int>(HWY_MAX_BYTES / sizeof(T));
    if (key.lanes == 1) return with_block<T, kPoints, 1>(key);
    if constexpr (sizeof(T) == 8) {
        if (key.lanes == 2) return with_block<T, kPoints, 2>(key);
    }
    if constexpr (kMost >= 4) {
        if (key.lanes == 4) return with_block<T, kPoints, 4>(key);
    }
    if constexpr (kMost >= 8) {
        if (key.lanes == 8) return with_block<T, kPoints, 8>(key);
    }
    if constexpr (kMost >= 16) {
        if (key.lanes == 16) return with_block<T, kPoints, 16>(key);
    }
    return nullptr;
}

#endif  // HWY_TARGET != HWY_SCALAR
}  // namespace rooftune::stencil::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ROOFTUNE_STENCIL_ROWS_INL_H_
