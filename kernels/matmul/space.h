// The space of matmul on the CPU, and what a variant of it means.
#pragma once

#include "kernels/contract/family.h"
#include "kernels/matmul/geometry.h"
#include "kernels/matmul/problem.h"
#include "kernels/matmul/tiles.h"

namespace rooftune::matmul {

inline constexpr int kSpaceVersion = 1;

/// Positions of the parameters: the branching order. What decides operations, registers and chains comes
/// first; what only tunes the memory system comes last, because nothing about it can be proven.
enum ParameterIndex {
    kMethod,
    kSimd,
    kTile,
    kThreads,
    kLoop,
    kKc,
    kUnroll,
    kPackA,
    kPackB,
    kMc,
    kNc,
    kOrder,
    kAhead,
    kPrefetchC,
    kPages,
    kParameterCount
};

/// A variant, decoded.
struct Choice {
    bool naive = false;   ///< the triple loop: only `threads` means anything
    int width_bits = 64;  ///< element bits for scalar code
    int lanes = 1;        ///< of the vectors; 1 for scalar code
    TileShape tile;       ///< rows and vectors of the register tile
    std::int64_t nr = 1;  ///< columns of the register tile
    int threads = 1;
    Grid grid;
    int unroll = 1;
    std::int64_t kc = 1;  ///< as given; at most k
    std::int64_t mc = 1;  ///< rounded up to whole tiles; all rows of a thread when A is not packed
    std::int64_t nc = 1;  ///< rounded up to whole tiles; all columns of a thread when B is not packed
    bool pack_a = true, pack_b = true;
    bool a_outer = false;
    int ahead = 0;
    bool prefetch_c = false;
    bool huge_pages = true;
};

Space make_space(const MatmulProblem& problem, const Target& target);

/// A complete variant, or a prefix of one: what is not fixed stays as Choice has it.
Choice decode(const Space& space, const PartialVariant& variant, const MatmulProblem& problem);

/// The textbook loops, rows shared by all threads (naive.cpp).
Variant naive_variant(const Space& space, const Target& target);

/// What a careful programmer would take unmeasured, after the tables of BLIS: the tallest tile of two of
/// the widest vectors that the problem fills, kc 256, mc 240, nc 4096 (whole where they do not fit), all
/// threads over m (over n where m has less than a tile for each), C prefetched, A and B packed unless the
/// three matrices together take at most 256 KiB or at most 128 columns or rows of C use them. With so few
/// rows and many columns, the widest tile and threads over n. The textbook loops where C has one element.
Variant default_variant(const MatmulProblem& problem, const Space& space, const Target& target);

}  // namespace rooftune::matmul
