// What the kernels of all formats share: walking segments in turn, gathering x, storing y. Included
// once for each instruction set; no code of the standard library is instantiated here, since the
// linker could keep a copy that uses instructions that the CPU lacks.
#if defined(ROOFTUNE_SPMV_WALK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTUNE_SPMV_WALK_INL_H_
#undef ROOFTUNE_SPMV_WALK_INL_H_
#else
#define ROOFTUNE_SPMV_WALK_INL_H_
#endif

#include <hwy/highway.h>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/runtime/prefetch.h"
#include "kernels/spmv/kernel.h"
#include "kernels/spmv/scalar_code.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::spmv::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

/// One segment of each walk in turn; with a single walk, all of it at once with the position kept
/// in registers. `Body::segment(a, i, step, length)` computes segment i.
template <typename Body>
HWY_INLINE void walk_in_turn(const KernelArguments& a, const Walk* walks, int count) {
    Walk now[kMaxStreams];
    for (int s = 0; s < count; ++s) now[s] = walks[s];
    bool left = true;
    while (left) {
        left = false;
        for (int s = 0; s < count; ++s) {
            std::uint32_t i = now[s].segment;
            if (i == now[s].end) continue;
            const std::uint32_t stop = count == 1 ? now[s].end : i + 1;
            std::uint64_t step = now[s].step;
            std::uint32_t first = a.pointer[i];
            for (; i < stop; ++i) {
                const std::uint32_t next = a.pointer[i + 1];
                const std::uint32_t length = next - first;
                first = next;
                Body::segment(a, i, step, length);
                step += length;
            }
            now[s].segment = stop;
            now[s].step = step;
            left |= stop != now[s].end;
        }
    }
}

template <typename Body>
HWY_NOINLINE void run_vector(const KernelArguments& a, const Walk* walks, int count) {
    walk_in_turn<Body>(a, walks, count);
}

template <typename Body>
ROOFTUNE_SCALAR_CODE HWY_NOINLINE void run_scalar(const KernelArguments& a, const Walk* walks, int count) {
    walk_in_turn<Body>(a, walks, count);
}

/// The group of segment i.
HWY_INLINE std::uint64_t group_of(const KernelArguments& a, std::uint32_t i) {
    return a.group ? a.group[i] : i;
}

/// Whether segment i goes on with the group of the segment before it: then its sums are added to
/// what that one stored.
HWY_INLINE bool continues(const KernelArguments& a, std::uint32_t i) {
    return a.group && i > 0 && a.group[i - 1] == a.group[i];
}

template <typename T>
HWY_INLINE void store_sum(T* y, T sum, bool add) {
    *y = add ? *y + sum : sum;
}

HWY_INLINE void prefetch_ahead(const void* values, const void* indices, std::int64_t bytes) {
    prefetch_line(static_cast<const char*>(values) + bytes);
    prefetch_line(static_cast<const char*>(indices) + bytes);
}

/// Signed indices of the element's size, as Highway's gather wants them. 32-bit ones are below 2³¹.
template <class D>
HWY_INLINE hn::Vec<hn::RebindToSigned<D>> widen(D d, hn::Vec<hn::Rebind<std::uint32_t, D>> index) {
    const hn::Rebind<std::int32_t, D> d32;
    if constexpr (sizeof(hn::TFromD<D>) == 8) {
        return hn::PromoteTo(hn::RebindToSigned<D>(), hn::BitCast(d32, index));
    } else {
        static_cast<void>(d);
        return hn::BitCast(d32, index);
    }
}

template <class D>
HWY_INLINE hn::Vec<hn::RebindToSigned<D>> widen(D d, hn::Vec<hn::Rebind<std::uint16_t, D>> index) {
    const hn::Rebind<std::int32_t, D> d32;
    if constexpr (sizeof(hn::TFromD<D>) == 8) {
        return hn::PromoteTo(hn::RebindToSigned<D>(), hn::PromoteTo(d32, index));
    } else {
        static_cast<void>(d);
        return hn::PromoteTo(d32, index);
    }
}

/// Whether a set's kernels can load x both ways, by instructions that gather and one by one. AVX2 has them,
/// but on processors whose widest vectors have 256 bits they are slow: of 27 entries a row beyond the caches
/// on a Zen 3 (110³ rows, 2 threads, side by side), SELL with 256 bits takes 6.84 ms one by one and 8.92 ms
/// gathered (f32), 11.9 and 13.2 ms (f64), rows with 128 bits 11.7 and 18.9 ms. Where the microcode keeps
/// gathers from leaking data (Intel up to Tiger Lake) they are slower still.
inline constexpr bool kHasBothWays = HWY_TARGET == HWY_AVX3;

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
/// Indices side by side, read eight bytes at a time (four where they have no more): half or a quarter of the
/// loads, of which a core has two or three a cycle and x needs one for each element.
template <typename Index, std::size_t kCount>
class IndicesAt {
public:
    HWY_INLINE explicit IndicesAt(const Index* index) {
        for (std::size_t w = 0; w < kWords; ++w)
            std::memcpy(&words_[w], index + w * kInWord, sizeof words_[w]);
    }
    HWY_INLINE std::size_t operator[](std::size_t i) const {
        return static_cast<Index>(words_[i / kInWord] >> (i % kInWord * 8 * sizeof(Index)));
    }

private:
    using Word = std::conditional_t<kCount * sizeof(Index) >= 8, std::uint64_t, std::uint32_t>;
    static constexpr std::size_t kInWord = sizeof(Word) / sizeof(Index), kWords = kCount / kInWord;
    Word words_[kWords];
};

/// A vector of x, each element by a load of its own.
template <class D, typename Index>
HWY_INLINE hn::Vec<D> one_by_one(D d, const hn::TFromD<D>* x, const Index* index) {
    constexpr std::size_t kCount = hn::MaxLanes(d);
    if constexpr (kCount * sizeof(hn::TFromD<D>) == 64) {
        const hn::Half<D> half;
        const auto low = one_by_one(half, x, index);
        return hn::Combine(d, one_by_one(half, x, index + kCount / 2), low);
    } else {
        const IndicesAt<Index, kCount> at(index);
        if constexpr (sizeof(hn::TFromD<D>) == 8) {
            if constexpr (kCount == 4) {
                return {_mm256_setr_pd(x[at[0]], x[at[1]], x[at[2]], x[at[3]])};
            } else {
                static_assert(kCount == 2);
                return {_mm_setr_pd(x[at[0]], x[at[1]])};
            }
        } else {
            if constexpr (kCount == 8) {
                return {_mm256_setr_ps(x[at[0]], x[at[1]], x[at[2]], x[at[3]], x[at[4]], x[at[5]], x[at[6]],
                                       x[at[7]])};
            } else {
                static_assert(kCount == 4);
                return {_mm_setr_ps(x[at[0]], x[at[1]], x[at[2]], x[at[3]])};
            }
        }
    }
}

/// The first n lanes, the others zero. Of the widest vectors half where they fit into it, for most rows end
/// in a few: rows took 0.85 to 0.98 of the time on a Zen 4. Halves of halves, and of 256 bits, gained
/// nothing.
template <class D, typename Index>
HWY_INLINE hn::Vec<D> first_one_by_one(D d, const hn::TFromD<D>* x, const Index* index, std::size_t n) {
    if constexpr (hn::MaxLanes(d) * sizeof(hn::TFromD<D>) == 64) {
        const hn::Half<D> half;
        if (n <= hn::MaxLanes(half))
            return hn::ZeroExtendVector(d,
                                        hn::IfThenElseZero(hn::FirstN(half, n), one_by_one(half, x, index)));
    }
    return hn::IfThenElseZero(hn::FirstN(d, n), one_by_one(d, x, index));
}
#endif

/// `kGathers` decides where a set has both ways.
template <bool kGathers, class D, typename Index>
HWY_INLINE hn::Vec<D> gather(D d, const hn::TFromD<D>* x, const Index* index) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
    if constexpr (!kHasBothWays || !kGathers) {
        return one_by_one(d, x, index);
    } else
#endif
        return hn::GatherIndex(d, x, widen(d, hn::LoadU(hn::Rebind<Index, D>(), index)));
}

/// The first n lanes loaded, the others zero. Highway's MaskedLoad wants aligned addresses on SSE4;
/// a whole vector may be read here, since the arrays are readable beyond their ends.
template <class D>
HWY_INLINE hn::Vec<D> load_first(D d, const hn::TFromD<D>* from, std::size_t n) {
    return hn::IfThenElseZero(hn::FirstN(d, n), hn::LoadU(d, from));
}

/// The first n lanes gathered, the others zero: their indices are zeroed before (they could lie
/// outside x) and their elements after (x[0] could be infinite).
template <bool kGathers, class D, typename Index>
HWY_INLINE hn::Vec<D> gather_first(D d, const hn::TFromD<D>* x, const Index* index, std::size_t n) {
    const hn::Rebind<Index, D> di;
    const auto some = load_first(di, index, n);
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
    if constexpr (!kHasBothWays || !kGathers) {
        HWY_ALIGN Index kept[hn::MaxLanes(di)];
        hn::Store(some, di, kept);
        return first_one_by_one(d, x, kept, n);
    } else
#endif
        return hn::IfThenElseZero(hn::FirstN(d, n), hn::GatherIndex(d, x, widen(d, some)));
}

#endif  // HWY_TARGET != HWY_SCALAR
}  // namespace rooftune::spmv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ROOFTUNE_SPMV_WALK_INL_H_
