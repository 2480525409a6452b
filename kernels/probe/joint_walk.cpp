// The walks of the joint probe, built for every target.
#define HWY_DISABLED_TARGETS (HWY_AVX3_DL | HWY_SSSE3)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/probe/joint_walk.cpp"
#include "hwy/foreach_target.h"
// Behind foreach_target.h.
#include <cstring>
#include <utility>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "kernels/probe/bandwidth_kernel.h"
#include "kernels/probe/joint.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::probe {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;
using Word = std::uint64_t;

constexpr std::size_t kLine = 64, kPage = 4096;

// The value must be in a register: the load happens, and nothing else does.
template <class V>
HWY_INLINE void use(V v) {
    __asm__ volatile("" : : "v"(v.raw));
}

// The compiler sees another address each time, so that it can keep nothing that was loaded before.
HWY_INLINE void forget(const std::byte*& near) {
    __asm__ volatile("" : "+r"(near));
}

template <std::size_t... kLoad>
HWY_INLINE void vectors_besides(const std::byte* near, std::index_sequence<kLoad...>) {
    const hn::FixedTag<Word, 2> d;
    (use(hn::LoadU(d, reinterpret_cast<const Word*>(near + vector_offset(kLoad)))), ...);
}

template <std::size_t... kLoad>
HWY_INLINE void crossing_besides(const std::byte* near, std::index_sequence<kLoad...>) {
    const hn::FixedTag<Word, 2> d;
    (use(hn::LoadU(d, reinterpret_cast<const Word*>(near + crossing_offset(kLoad)))), ...);
}

template <std::size_t... kLoad>
HWY_INLINE void scalars_besides(const std::byte* near, std::index_sequence<kLoad...>) {
    const auto one = [](const std::byte* at) {
        Word w;
        std::memcpy(&w, at, sizeof w);
        __asm__ volatile("" : : "r"(w));
    };
    (one(near + scalar_offset(kLoad)), ...);
}

template <class D, std::size_t... kGather>
HWY_INLINE void gathers_besides(const std::byte*& near, std::index_sequence<kGather...>) {
    const hn::Repartition<double, D> d;
    const auto lanes = hn::Iota(hn::RebindToSigned<decltype(d)>(), 0);
    const auto one = [&](std::size_t) {
        forget(near);
        use(hn::GatherIndex(d, reinterpret_cast<const double*>(near), lanes));
    };
    (one(kGather), ...);
}

constexpr std::size_t count(int n) {
    return static_cast<std::size_t>(n);
}

struct Steps {
    std::size_t array;  ///< from a line that is read to the one that is written
    std::size_t ahead;  ///< bytes of prefetch
};

// The vector with this number in a round, and with the first of a line what goes with the line.
template <Mix kMix, class D, bool kPrefetch, LoadsBesides kBesides, std::size_t kNumber>
HWY_INLINE void one_vector(D d, std::byte* at, const Steps& steps, const std::byte*& near) {
    constexpr std::size_t kBytes = sizeof(hn::Vec<D>), kVectors = kLine / kBytes, kLanes = kBytes / 8;
    if constexpr (kNumber % kVectors == 0) {
        if constexpr (kPrefetch) hwy::Prefetch(at + steps.ahead);
        if constexpr (kBesides.vectors + kBesides.scalars > 0) forget(near);
        vectors_besides(near, std::make_index_sequence<count(kBesides.vectors - kBesides.crossing)>());
        crossing_besides(near, std::make_index_sequence<count(kBesides.crossing)>());
        scalars_besides(near, std::make_index_sequence<count(kBesides.scalars)>());
        // So many lanes a line on average: a round has whole gathers.
        constexpr std::size_t kOfLine = kNumber / kVectors, kEach = count(kBesides.gathered);
        constexpr std::size_t kGathers = (kOfLine + 1) * kEach / kLanes - kOfLine * kEach / kLanes;
        if constexpr (kGathers > 0) gathers_besides<D>(near, std::make_index_sequence<kGathers>());
    }
    const Word* from = reinterpret_cast<const Word*>(at);
    Word* to = reinterpret_cast<Word*>(at + steps.array);
    if constexpr (kMix == Mix::load) {
        use(hn::Load(d, from));
    } else if constexpr (kMix == Mix::nt_copy) {
        hn::Stream(hn::Load(d, from), d, to);
    } else {
        hn::Store(hn::Load(d, from), d, to);
    }
}

template <Mix kMix, class D, bool kPrefetch, LoadsBesides kBesides, std::size_t kFirst,
          std::size_t... kVector>
HWY_INLINE void one_stream(D d, std::byte* at, const Steps& steps, const std::byte*& near,
                           std::index_sequence<kVector...>) {
    constexpr std::size_t kBytes = sizeof(hn::Vec<D>);
    (one_vector<kMix, D, kPrefetch, kBesides, kFirst + kVector>(d, at + kVector * kBytes, steps, near), ...);
}

template <Mix kMix, class D, bool kPrefetch, LoadsBesides kBesides, std::size_t... kStream>
HWY_INLINE void round(D d, std::byte* const* HWY_RESTRICT stream, std::size_t offset, const Steps& steps,
                      const std::byte*& near, std::index_sequence<kStream...>) {
    constexpr std::size_t kVectors =
        static_cast<std::size_t>(vectors_a_round(sizeof...(kStream))) / sizeof...(kStream);
    (one_stream<kMix, D, kPrefetch, kBesides, kStream * kVectors>(d, stream[kStream] + offset, steps, near,
                                                                  std::make_index_sequence<kVectors>()),
     ...);
}

template <Mix kMix, class D, int kStreams, bool kPrefetch, LoadsBesides kBesides>
void walk_besides(std::byte* region, const StreamLayout& layout, std::size_t ahead, std::int64_t passes) {
    const D d;
    constexpr std::size_t kBlock =
        static_cast<std::size_t>(vectors_a_round(kStreams) / kStreams) * sizeof(hn::Vec<D>);
    constexpr auto kAll = std::make_index_sequence<static_cast<std::size_t>(kStreams)>();
    // Within one page: a load across two would take longer than those that it stands for.
    alignas(kPage) std::byte own[kNearBytes + kLine];
    std::memset(own, 1, sizeof own);
    const std::byte* near = own;
    __asm__ volatile("" : "+r"(near) : : "memory");
    std::byte* stream[kStreams];
    const Steps steps{layout.stride, ahead};
    for (int s = 0; s < kStreams; ++s)
        stream[s] = region + static_cast<std::size_t>(s * layout.arrays) * layout.stride;
    for (std::int64_t p = 0; p < passes; ++p) {
        for (std::size_t i = 0; i < layout.bytes; i += kBlock)
            round<kMix, D, kPrefetch, kBesides>(d, stream, i, steps, near, kAll);
    }
    if constexpr (kMix == Mix::nt_copy) hwy::FlushStream();
}

// Sets without gathers load one by one: the walks would do what they do not say.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
constexpr bool kHasGathers = true;
#else
constexpr bool kHasGathers = false;
#endif

// The walk with what is asked for, where the list has it; nullptr otherwise.
template <Mix kMix, class D, int kStreams, bool kPrefetch, const auto& kList, std::size_t... kPlace>
JointKernel one_of(const LoadsBesides& besides, std::index_sequence<kPlace...>) {
    JointKernel found = nullptr;
    const auto offer = [&]<std::size_t kAt>(std::integral_constant<std::size_t, kAt>) {
        if constexpr (kList[kAt].gathered == 0 || kHasGathers) {
            if (besides == kList[kAt]) found = &walk_besides<kMix, D, kStreams, kPrefetch, kList[kAt]>;
        }
    };
    (offer(std::integral_constant<std::size_t, kPlace>()), ...);
    return found;
}

template <class D, int kStreams, bool kPrefetch>
JointKernel by_mix(const JointWay& way) {
    constexpr auto kVectors = std::make_index_sequence<kJointVectors.size()>();
    constexpr auto kIndexed = std::make_index_sequence<kJointIndexed.size()>();
    switch (way.walk.mix) {
        case Mix::load: {
            const JointKernel found =
                one_of<Mix::load, D, kStreams, kPrefetch, kJointIndexed>(way.besides, kIndexed);
            return found ? found
                         : one_of<Mix::load, D, kStreams, kPrefetch, kJointVectors>(way.besides, kVectors);
        }
        case Mix::copy:
            return one_of<Mix::copy, D, kStreams, kPrefetch, kJointVectors>(way.besides, kVectors);
        case Mix::nt_copy:
            return one_of<Mix::nt_copy, D, kStreams, kPrefetch, kJointVectors>(way.besides, kVectors);
        default:
            return nullptr;
    }
}

template <class D>
JointKernel by_streams(const JointWay& way) {
    const bool prefetch = way.walk.prefetch_bytes > 0;
    if (way.walk.streams == 1) return prefetch ? by_mix<D, 1, true>(way) : by_mix<D, 1, false>(way);
    if (way.walk.streams == 4) return prefetch ? by_mix<D, 4, true>(way) : by_mix<D, 4, false>(way);
    return nullptr;
}

#endif

}  // namespace

JointKernel joint_for([[maybe_unused]] const JointWay& way) {
#if HWY_TARGET == HWY_SSE4
    if (way.walk.width_bits == 128) return by_streams<hn::FixedTag<Word, 2>>(way);
#endif
#if HWY_TARGET == HWY_AVX2
    if (way.walk.width_bits == 256) return by_streams<hn::FixedTag<Word, 4>>(way);
#endif
#if HWY_TARGET == HWY_AVX3
    if (way.walk.width_bits == 512) return by_streams<hn::FixedTag<Word, 8>>(way);
#endif
    return nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace rooftune::probe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rooftune::probe {

// The set that has the width as its widest, and not the richest of the processor: so narrower vectors are
// there too, as they are under a mask.
JointKernel find_joint(const JointWay& way) {
    const auto supported = hwy::SupportedTargets();
    if (way.walk.width_bits == 512) return (supported & HWY_AVX3) != 0 ? N_AVX3::joint_for(way) : nullptr;
    if (way.walk.width_bits == 256) return (supported & HWY_AVX2) != 0 ? N_AVX2::joint_for(way) : nullptr;
    return (supported & HWY_SSE4) != 0 ? N_SSE4::joint_for(way) : nullptr;
}

}  // namespace rooftune::probe
#endif
