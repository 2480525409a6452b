// A matrix product spread over devices along one of its three dimensions: what each device multiplies, and
// what must cross the links. C (m×n) = A (m×k) · B (k×n); p devices.
//
//   along   a device multiplies    in parts already          crosses the links
//   m       A_i (m/p×k) · B        A, C by rows              B, all-gathered, where it lies in parts
//   n       A · B_i (k×n/p)        B, C by columns           A, all-gathered, where it lies in parts
//   k       A_i (m×k/p) · B_i      A by columns, B by rows   m×n partial sums: all-reduced where every device
//           (k/p×n)                                          needs C whole, reduce-scattered where parts do
//
// Along m and n, a result that every device needs whole is all-gathered. The devices compute 2mnk/p flops
// each in every case, so a split pays while T_math = 2mnk/(pπ) covers T_comms: along k with two devices,
// bf16, an all-reduce of 2mn bytes against mnk/π seconds, k > 2π/W whatever m and n are.
#pragma once

#include <algorithm>

#include "models/network.h"
#include "models/units.h"

namespace rooftune {

enum class MatmulDimension { none, m, n, k };

/// Bytes of an element of A, B and C.
struct MatmulElements {
    double a = 8.0, b = 8.0, c = 8.0;
};

struct MatmulShape {
    double m = 0.0, n = 0.0, k = 0.0;
    double flops() const { return 2.0 * m * n * k; }
    Bytes a_bytes(const MatmulElements& e) const { return Bytes(e.a * m * k); }
    Bytes b_bytes(const MatmulElements& e) const { return Bytes(e.b * k * n); }
    Bytes c_bytes(const MatmulElements& e) const { return Bytes(e.c * m * n); }
};

struct MatmulSharding {
    MatmulDimension along = MatmulDimension::none;
    double devices = 1.0;
    Wiring wiring = Wiring::ring;
    bool gather_operand = false;  ///< along m or n: the operand needed whole lies in parts
    bool whole_result = false;    ///< every device needs all of C
};

struct ShardedMatmul {
    MatmulShape mine;     ///< what one device multiplies
    Bytes gathered{0.0};  ///< of the operand that it needs whole, what it lacks at the start
    Bytes exchanged_operand{0.0};
    Bytes exchanged_result{0.0};
    Bytes exchanged() const { return exchanged_operand + exchanged_result; }
};

inline ShardedMatmul shard(const MatmulShape& whole, const MatmulElements& element,
                           const MatmulSharding& how) {
    ShardedMatmul part{.mine = whole};
    if (how.along == MatmulDimension::none) return part;
    const double p = how.devices;
    double& dimension = how.along == MatmulDimension::m   ? part.mine.m
                        : how.along == MatmulDimension::n ? part.mine.n
                                                          : part.mine.k;
    dimension /= p;
    const bool along_k = how.along == MatmulDimension::k;
    const Collective collect = !along_k           ? Collective::all_gather
                               : how.whole_result ? Collective::all_reduce
                                                  : Collective::reduce_scatter;
    if (how.whole_result || along_k) {
        part.exchanged_result = exchanged(collect, p, whole.c_bytes(element), how.wiring);
    }
    if (how.gather_operand && !along_k) {
        const Bytes operand =
            how.along == MatmulDimension::m ? whole.b_bytes(element) : whole.a_bytes(element);
        part.gathered = operand * (1.0 - 1.0 / p);
        part.exchanged_operand = exchanged(Collective::all_gather, p, operand, how.wiring);
    }
    return part;
}

/// Times of one device: computing, and what crosses its links. `sum` and `max` of the two are the band.
struct ShardedTimes {
    Seconds math{0.0};
    Seconds links{0.0};
    bool compute_bound() const { return math >= links; }
};

inline ShardedTimes seconds(const MatmulShape& whole, const MatmulElements& element,
                            const MatmulSharding& how, OperationsPerSecond peak, const Links& links) {
    MatmulSharding wired = how;
    wired.wiring = links.wiring;
    const ShardedMatmul part = shard(whole, element, wired);
    ShardedTimes t{.math = Operations(part.mine.flops()) / peak};
    if (how.along == MatmulDimension::none) return t;
    const auto take = [&](Bytes exchanged_bytes, Collective collective) {
        if (exchanged_bytes.value <= 0.0) return;
        t.links += std::max(exchanged_bytes / links.each_way,
                            links.latency * hops(collective, how.devices, links.wiring));
    };
    const bool sums = how.along == MatmulDimension::k;
    take(part.exchanged_operand, Collective::all_gather);
    take(part.exchanged_result, !sums              ? Collective::all_gather
                                : how.whole_result ? Collective::all_reduce
                                                   : Collective::reduce_scatter);
    return t;
}

/// The contracted dimension k above which a product split along k is compute bound, whatever m and n are and
/// without latency: 2mnk/(pπ) = x·c·mn/W, with x the part of C that crosses a link and c its bytes an
/// element.
inline double critical_k(const MatmulElements& element, const MatmulSharding& how, OperationsPerSecond peak,
                         BytesPerSecond each_way) {
    const Collective collect = how.whole_result ? Collective::all_reduce : Collective::reduce_scatter;
    const double crossing = exchanged(collect, how.devices, Bytes(1.0), how.wiring).value;
    return crossing * element.c * how.devices * peak.value / (2.0 * each_way.value);
}

}  // namespace rooftune
