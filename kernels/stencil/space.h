// The space of stencils on the CPU, and what a variant of it means.
#pragma once

#include "kernels/contract/family.h"
#include "kernels/stencil/grid.h"
#include "kernels/stencil/kernel.h"
#include "kernels/stencil/partition.h"

namespace rooftune::stencil {

/// Of the space: what a variant means and which there are. Tuned configs and stores of another are not taken
/// for this one. 2: prefetch=512 prefetches (in 1 the compiler had deleted what it does), and spaces beyond
/// caches have more distances.
inline constexpr int kSpaceVersion = 2;

/// Positions of the parameters: the branching order. What moves the bound comes first; what only tunes
/// the memory system comes last, because nothing about it can be proven.
enum ParameterIndex {
    kSimd,
    kDepth,
    kThreads,
    kRows,
    kUnroll,
    kBlockY,
    kBlockZ,
    kPartition,
    kStore,
    kStreams,
    kPrefetch,
    kPadding,
    kPlacement,
    kPages,
    kParameterCount
};

enum class Placement { owner, interleave, none };

/// A variant, decoded.
struct Choice {
    bool plain = false;   ///< the textbook loop
    int width_bits = 64;  ///< element bits for scalar code, 128 for the textbook loop
    int lanes = 1;        ///< of the vectors; 1 for scalar code
    int depth = 1;        ///< steps of a pass
    RegisterBlock rows{};
    int unroll = 1;
    Cut cut;
    Store store = Store::regular;
    int streams = 1;
    std::int64_t prefetch = 0;  ///< bytes
    std::int64_t padding = 0;   ///< lines
    Placement placement = Placement::owner;
    Pages pages = Pages::huge;
};

/// Scratch beyond this holds no pass together: no private cache is as large.
inline constexpr std::int64_t kMostScratch = std::int64_t{16} << 20;

/// Bytes that the variants of a grid prefetch ahead at most.
std::int64_t farthest_prefetch(const Grid& grid);

Space make_space(const Grid& grid, const Target& target);

/// A complete variant, or a prefix of one: what is not fixed stays as Choice has it, blocks whole.
Choice decode(const Space& space, const PartialVariant& variant, const Grid& grid);

/// The textbook loop on all threads.
Variant naive_variant(const Space& space, const Target& target);

/// What a careful programmer would take unmeasured: the widest vectors that a line fills, rows computed
/// together, prefetching where the grid is large, and non-temporal stores beyond the caches; the naive
/// variant on short lines and without vectors.
Variant default_variant(const Space& space, const Target& target, const Grid& grid);

}  // namespace rooftune::stencil
