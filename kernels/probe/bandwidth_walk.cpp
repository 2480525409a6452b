// The walks of the bandwidth probe, built for every target.
#define HWY_DISABLED_TARGETS (HWY_AVX3_DL | HWY_SSSE3)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/probe/bandwidth_walk.cpp"
#include "hwy/foreach_target.h"
// Behind foreach_target.h.
#include <type_traits>
#include <utility>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "kernels/probe/bandwidth_kernel.h"
#include "kernels/probe/richest.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::probe {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;
using Word = std::uint64_t;

// A value that the compiler must have in a register: the load happens, and nothing else does. Even an
// addition would compete for ports with the widest loads.
template <class V>
HWY_INLINE void use(V v) {
    __asm__ volatile("" : : "v"(v.raw));
}

template <Mix kMix, class D, bool kPrefetch>
HWY_INLINE void one_vector(D d, std::byte* at, std::size_t stride, hn::Vec<D> key) {
    Word* a = reinterpret_cast<Word*>(at);
    if constexpr (kPrefetch) {
        hwy::Prefetch(at + kPrefetchBytes);
        if constexpr (kMix == Mix::two_loads_store) hwy::Prefetch(at + stride + kPrefetchBytes);
    }
    if constexpr (kMix == Mix::load) {
        use(hn::Load(d, a));
    } else if constexpr (kMix == Mix::update) {
        hn::Store(hn::Xor(hn::Load(d, a), key), d, a);
    } else if constexpr (kMix == Mix::store) {
        hn::Store(key, d, a);
    } else if constexpr (kMix == Mix::nt_store) {
        hn::Stream(key, d, a);
    } else if constexpr (kMix == Mix::nt_copy) {
        hn::Stream(hn::Load(d, a), d, reinterpret_cast<Word*>(at + stride));
    } else if constexpr (kMix == Mix::copy) {
        hn::Store(hn::Load(d, a), d, reinterpret_cast<Word*>(at + stride));
    } else {
        const auto sum = hn::Xor(hn::Load(d, a), hn::Load(d, reinterpret_cast<const Word*>(at + stride)));
        hn::Store(sum, d, reinterpret_cast<Word*>(at + 2 * stride));
    }
}

// One round: kUnroll vectors of each stream in turn. The prefetch goes with the first vector of a line.
template <Mix kMix, class D, bool kPrefetch, std::size_t... kVector>
HWY_INLINE void one_stream(D d, std::byte* at, std::size_t stride, hn::Vec<D> key,
                           std::index_sequence<kVector...>) {
    constexpr std::size_t kBytes = sizeof(hn::Vec<D>);
    (one_vector < kMix, D, kPrefetch && kVector * kBytes % 64 == 0 > (d, at + kVector * kBytes, stride, key),
     ...);
}

template <Mix kMix, class D, bool kPrefetch, std::size_t... kStream>
HWY_INLINE void round(D d, std::byte* const* HWY_RESTRICT stream, std::size_t offset, std::size_t stride,
                      hn::Vec<D> key, std::index_sequence<kStream...>) {
    constexpr int kStreams = sizeof...(kStream);
    constexpr auto kVectors = std::make_index_sequence<vectors_a_round(kStreams) / kStreams>();
    (one_stream<kMix, D, kPrefetch>(d, stream[kStream] + offset, stride, key, kVectors), ...);
}

template <Mix kMix, class D, int kStreams, bool kPrefetch>
void walk(std::byte* region, const StreamLayout& layout, std::int64_t passes) {
    const D d;
    constexpr std::size_t kBlock =
        static_cast<std::size_t>(vectors_a_round(kStreams) / kStreams) * sizeof(hn::Vec<D>);
    constexpr auto kAll = std::make_index_sequence<static_cast<std::size_t>(kStreams)>();
    std::byte* stream[kStreams];
    const std::size_t stride = layout.stride;
    for (int s = 0; s < kStreams; ++s) {
        stream[s] = region + static_cast<std::size_t>(s * layout.arrays) * stride;
    }
    const std::size_t bytes = layout.bytes;
    for (std::int64_t p = 0; p < passes; ++p) {
        // Another value in each pass, unknown to the compiler: no store repeats what is there, and no
        // loop of stores becomes a call of memset.
        auto key = hn::Set(d, static_cast<Word>(p) * 0x9e3779b97f4a7c15ULL + 0x3ff5555555555555ULL);
        // What Highway emulates is an array, which clang++ puts into no register.
        if constexpr (std::is_array_v<decltype(key.raw)>)
            __asm__ volatile("" : "+m"(key.raw) : : "memory");
        else
            __asm__ volatile("" : "+v"(key.raw) : : "memory");
        for (std::size_t i = 0; i < bytes; i += kBlock) {
            round<kMix, D, kPrefetch>(d, stream, i, stride, key, kAll);
        }
    }
    if constexpr (kMix == Mix::nt_store || kMix == Mix::nt_copy) hwy::FlushStream();
}

// More than eight streams are tried for the mixes that a few of them were fastest at.
template <Mix kMix, class D, bool kPrefetch>
WalkKernel by_streams(int streams) {
    if constexpr (kMix == Mix::load || kMix == Mix::update) {
        if (streams == 16) return &walk<kMix, D, 16, kPrefetch>;
        if (streams == 32) return &walk<kMix, D, 32, kPrefetch>;
    }
    switch (streams) {
        case 1:
            return &walk<kMix, D, 1, kPrefetch>;
        case 2:
            return &walk<kMix, D, 2, kPrefetch>;
        case 4:
            return &walk<kMix, D, 4, kPrefetch>;
        case 8:
            return &walk<kMix, D, 8, kPrefetch>;
        default:
            return nullptr;
    }
}

template <class D>
WalkKernel by_mix(const BandwidthWay& way) {
    const bool prefetch = way.prefetch_bytes > 0;
    switch (way.mix) {
        case Mix::load:
            return prefetch ? by_streams<Mix::load, D, true>(way.streams)
                            : by_streams<Mix::load, D, false>(way.streams);
        case Mix::update:
            return prefetch ? by_streams<Mix::update, D, true>(way.streams)
                            : by_streams<Mix::update, D, false>(way.streams);
        case Mix::store:
            return by_streams<Mix::store, D, false>(way.streams);
        case Mix::nt_store:
            return by_streams<Mix::nt_store, D, false>(way.streams);
        case Mix::nt_copy:
            return prefetch ? by_streams<Mix::nt_copy, D, true>(way.streams)
                            : by_streams<Mix::nt_copy, D, false>(way.streams);
        case Mix::copy:
            return prefetch ? by_streams<Mix::copy, D, true>(way.streams)
                            : by_streams<Mix::copy, D, false>(way.streams);
        case Mix::two_loads_store:
            return prefetch ? by_streams<Mix::two_loads_store, D, true>(way.streams)
                            : by_streams<Mix::two_loads_store, D, false>(way.streams);
        default:
            return nullptr;
    }
}

WalkKernel by_width(const BandwidthWay& way) {
    switch (way.width_bits) {
        case 128:
            return by_mix<hn::FixedTag<Word, 2>>(way);
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
        case 256:
            return by_mix<hn::FixedTag<Word, 4>>(way);
#endif
#if HWY_TARGET == HWY_AVX3
        case 512:
            return by_mix<hn::FixedTag<Word, 8>>(way);
#endif
        default:
            return nullptr;
    }
}

#else

WalkKernel by_width(const BandwidthWay&) {
    return nullptr;
}

#endif

}  // namespace

WalkKernel walk_for(const BandwidthWay& way) {
    return by_width(way);
}

}  // namespace HWY_NAMESPACE
}  // namespace rooftune::probe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rooftune::probe {

WalkKernel find_walk(const BandwidthWay& way) {
    const auto find = richest(&N_SSE4::walk_for, &N_AVX2::walk_for, &N_AVX3::walk_for);
    return find ? find(way) : nullptr;
}

}  // namespace rooftune::probe
#endif
