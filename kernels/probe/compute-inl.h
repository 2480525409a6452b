// The kernels of the compute probe for one target and element type, included once a target.
// ROOFTUNE_PROBE_T is the element type.
//
// Values stay normal: with factor = 1 − 2^-10 and term = 2^-10·seed a fused multiply-add converges to
// the seed; a product with factor 1 keeps it; a sum grows by one part in a thousand a step. The compiler
// sees none of the three, and without fast-math it may not reorder or merge steps of a chain.

#if defined(ROOFTUNE_PROBE_COMPUTE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTUNE_PROBE_COMPUTE_INL
#undef ROOFTUNE_PROBE_COMPUTE_INL
#else
#define ROOFTUNE_PROBE_COMPUTE_INL
#endif

#include <cstddef>
#include <type_traits>
#include <utility>

#include "hwy/highway.h"
#include "kernels/probe/compute_kernel.h"

#ifndef ROOFTUNE_PROBE_UNROLL
#ifdef __clang__
#define ROOFTUNE_PROBE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define ROOFTUNE_PROBE_UNROLL _Pragma("GCC unroll 12")
#endif
#endif

HWY_BEFORE_NAMESPACE();
namespace rooftune::probe {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using T = ROOFTUNE_PROBE_T;

// Mix and share in one: `kFmas` of `kPeriod` operations are the mix's first operation, the rest additions.
template <Mix kMix, int kFmas = 1, int kPeriod = 1>
struct Deal {
    static constexpr bool first(int position) { return position % kPeriod < kFmas; }
    static constexpr Mix mix = kMix;
    static constexpr int period = kPeriod;
    static constexpr bool sums = false;
};

// Fused multiply-adds whose sum is the chain.
struct Sums : Deal<Mix::fma> {
    static constexpr bool sums = true;
};

#if HWY_TARGET == HWY_AVX3
constexpr int kMostChains = 24;
#else
constexpr int kMostChains = 12;
#endif

#if HWY_TARGET != HWY_SCALAR

template <class D>
struct VectorOf {
    using V = hn::Vec<D>;
    static HWY_INLINE V set(T value) { return hn::Set(D(), value); }
    static HWY_INLINE V add(V a, V b) { return hn::Add(a, b); }
    static HWY_INLINE V mul(V a, V b) { return hn::Mul(a, b); }
    static HWY_INLINE V fma(V a, V b, V c) { return hn::MulAdd(a, b, c); }
    static HWY_INLINE void pin(V&) {}
    static HWY_INLINE double sum(V a) { return static_cast<double>(hn::GetLane(hn::SumOfLanes(D(), a))); }
};

// Scalar code proper: the pin keeps the compiler from packing chains into vectors.
struct ScalarOf {
    using V = T;
    static HWY_INLINE V set(T value) { return value; }
    static HWY_INLINE V add(V a, V b) { return a + b; }
    static HWY_INLINE V mul(V a, V b) { return a * b; }
    static HWY_INLINE V fma(V a, V b, V c) {
#if HWY_NATIVE_FMA
        if constexpr (sizeof(T) == 8) {
            return __builtin_fma(a, b, c);
        } else {
            return __builtin_fmaf(a, b, c);
        }
#else
        return a * b + c;
#endif
    }
    static HWY_INLINE void pin(V& a) {
        __asm__("" : "+v"(a));
    }
    static HWY_INLINE double sum(V a) {
        return static_cast<double>(a);
    }
};

// One operation of one chain; kAt is the chain's number plus the step's.
template <class Ops, class D, int kAt>
HWY_INLINE void advance(typename Ops::V& acc, typename Ops::V factor, typename Ops::V term) {
    // A local copy: an array whose elements are operands of the pin is not split into registers.
    typename Ops::V v = acc;
    if constexpr (D::mix == Mix::add || !D::first(kAt)) {
        v = Ops::add(v, term);
    } else if constexpr (D::mix == Mix::mul) {
        v = Ops::mul(v, factor);
    } else if constexpr (D::sums) {
        v = Ops::fma(factor, term, v);
    } else {
        v = Ops::fma(v, factor, term);
    }
    Ops::pin(v);
    acc = v;
}

template <class Ops, class D, int kStep, std::size_t... kChain>
HWY_INLINE void step(typename Ops::V* HWY_RESTRICT acc, typename Ops::V factor, typename Ops::V term,
                     std::index_sequence<kChain...>) {
    (advance<Ops, D, static_cast<int>(kChain) + kStep>(acc[kChain], factor, term), ...);
}

// Every index of the accumulators is a constant from the start: an array that a loop walks, even outside the
// timed one, is kept in memory and the accumulators with it. The steps need no constants beyond one period of
// the mix, so the compiler unrolls them: written out as templates they took it 26 s an element type.
template <class Ops, class D, std::size_t... kChain, std::size_t... kStep>
HWY_INLINE double run_chains(std::int64_t steps, double seed, double factor, double term,
                             std::index_sequence<kChain...> all, std::index_sequence<kStep...>) {
    using V = typename Ops::V;
    V acc[sizeof...(kChain)] = {Ops::set(static_cast<T>(seed + 0.0625 * static_cast<double>(kChain)))...};
    const V f = Ops::set(static_cast<T>(factor));
    const V t = Ops::set(static_cast<T>(term));
    static_assert(kStepsUnrolled % D::period == 0, "a mix whose period does not divide it would lose steps");
    static_assert(kStepsUnrolled == 12, "ROOFTUNE_PROBE_UNROLL says this number to g++");
    for (std::int64_t s = 0; s < steps; s += kStepsUnrolled) {
        ROOFTUNE_PROBE_UNROLL
        for (int round = 0; round < kStepsUnrolled / D::period; ++round)
            (step<Ops, D, static_cast<int>(kStep)>(acc, f, t, all), ...);
    }
    V total = Ops::set(T{0});
    ((total = Ops::add(total, acc[kChain])), ...);
    return Ops::sum(total);
}

template <class Ops, class D, int kChains>
double kernel(std::int64_t steps, double seed, double factor, double term) {
    return run_chains<Ops, D>(steps, seed, factor, term,
                              std::make_index_sequence<static_cast<std::size_t>(kChains)>(),
                              std::make_index_sequence<static_cast<std::size_t>(D::period)>());
}

template <class Ops, class D>
ComputeKernel by_chains(int count) {
    switch (count) {
        case 1:
            return &kernel<Ops, D, 1>;
        case 2:
            return &kernel<Ops, D, 2>;
        case 4:
            return &kernel<Ops, D, 4>;
        case 8:
            return &kernel<Ops, D, 8>;
        case 12:
            return &kernel<Ops, D, 12>;
        default:
            break;
    }
    if constexpr (kMostChains >= 16) {
        if (count == 16) return &kernel<Ops, D, 16>;
    }
    // The pins of scalar code want a copy of each accumulator: 24 of them spill (seen in the machine code).
    if constexpr (kMostChains >= 24 && !std::is_same_v<Ops, ScalarOf>) {
        if (count == 24) return &kernel<Ops, D, 24>;
    }
    return nullptr;
}

template <class Ops>
ComputeKernel by_mix(const ComputeWay& way) {
    switch (way.mix) {
        case Mix::fma:
            // Without the instruction, the product of two constants would leave the loop.
            if (way.sums) return HWY_NATIVE_FMA && way.chains == 1 ? &kernel<Ops, Sums, 1> : nullptr;
            return by_chains<Ops, Deal<Mix::fma>>(way.chains);
        case Mix::add:
            return by_chains<Ops, Deal<Mix::add>>(way.chains);
        case Mix::mul:
            return by_chains<Ops, Deal<Mix::mul>>(way.chains);
        case Mix::fma_add:
            return way.share.period == 3 ? by_chains<Ops, Deal<Mix::fma, 2, 3>>(way.chains)
                                         : by_chains<Ops, Deal<Mix::fma, 1, 2>>(way.chains);
        default:
            return nullptr;
    }
}

template <int kBits>
using Lanes = hn::FixedTag<T, kBits / 8 / sizeof(T)>;

ComputeKernel find(const ComputeWay& way) {
    switch (way.width_bits) {
        case 8 * sizeof(T):
            return by_mix<ScalarOf>(way);
        case 128:
            return by_mix<VectorOf<Lanes<128>>>(way);
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
        case 256:
            return by_mix<VectorOf<Lanes<256>>>(way);
#endif
#if HWY_TARGET == HWY_AVX3
        case 512:
            return by_mix<VectorOf<Lanes<512>>>(way);
#endif
        default:
            return nullptr;
    }
}

#else

ComputeKernel find(const ComputeWay&) {
    return nullptr;
}

#endif

}  // namespace

// NOLINTNEXTLINE(misc-definitions-in-headers): one definition a target's namespace.
ComputeKernel ROOFTUNE_PROBE_FIND(const ComputeWay& way) {
    return find(way);
}

}  // namespace HWY_NAMESPACE
}  // namespace rooftune::probe
HWY_AFTER_NAMESPACE();

#endif
