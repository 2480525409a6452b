// Walks a thread's blocks of one pass: a pass reads one array, advances it by one or several steps, and
// writes another. Several steps go through scratch planes of the thread's own, with ghost zones that
// neighbouring blocks compute again.
#pragma once

#include <cstddef>
#include <span>

#include "kernels/stencil/kernel.h"
#include "kernels/stencil/layout.h"
#include "kernels/stencil/partition.h"

namespace rooftune::stencil {

/// Steps that one pass may take.
inline constexpr int kDeepest = 16;

/// The kernels of a variant: the bundle and the single row of what a bundle leaves over, each with the
/// variant's store for the array that a pass writes and with ordinary stores for scratch.
struct Kernels {
    RegisterBlock block{};
    Kernel bundle = nullptr;
    Kernel single = nullptr;
    Kernel scratch_bundle = nullptr;
    Kernel scratch_single = nullptr;
};

struct Pass {
    const Grid* grid = nullptr;
    const Layout* layout = nullptr;
    const double* coefficients = nullptr;
    const std::byte* from = nullptr;   ///< array that is read
    const std::byte* given = nullptr;  ///< array whose outer layer holds the boundary's values
    std::byte* to = nullptr;           ///< array that is written
    bool last = true;                  ///< `to` is the answer: no later pass reads its x = −1 and x = nx
    int depth = 1;                     ///< steps
    int streams = 1;                   ///< ranges of rows walked at once; depth 1 only
    std::int64_t prefetch = 0;         ///< bytes; 0: none
    Kernels kernels;
    bool fence = false;  ///< stores are non-temporal
};

/// Bytes of scratch that a thread needs to take `depth` steps over blocks of `block_y` rows.
std::int64_t scratch_bytes(const Grid& grid, const Layout& layout, int depth, std::int64_t block_y);

/// `scratch`: as many bytes, on a cache line; null where depth is 1.
void sweep(const Pass& pass, std::span<const Block> blocks, std::byte* scratch);

}  // namespace rooftune::stencil
