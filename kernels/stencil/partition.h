// Blocks of rows and planes, and which thread walks which. x is never cut.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/stencil/grid.h"

namespace rooftune::stencil {

/// z, y: each thread has a slab of planes, or of rows in all planes, cut into blocks from its own
/// beginning. cyclic: the blocks of the whole grid, y first, are dealt out in turn.
enum class Partition { z, y, cyclic };

struct Range {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t size() const { return end - begin; }
    bool operator==(const Range&) const = default;
};

/// Part `part` of `parts` of `length`, all as even as can be.
constexpr Range share_of(std::int64_t length, int part, int parts) {
    return {length * part / parts, length * (part + 1) / parts};
}

struct Block {
    Range y, z;
};

/// How a sweep is cut up.
struct Cut {
    int threads = 1;
    Partition partition = Partition::z;
    std::int64_t block_y = 1, block_z = 1;  ///< rows and planes of a block
};

/// The slab of a thread; the whole grid where blocks are dealt out.
Block slab_of(const Grid& grid, const Cut& cut, int thread);

/// The blocks that a thread walks, in its order.
std::vector<Block> blocks_of(const Grid& grid, const Cut& cut, int thread);

/// Blocks of `size` that a range takes.
constexpr std::int64_t blocks_in(std::int64_t length, std::int64_t size) {
    return (length + size - 1) / size;
}

}  // namespace rooftune::stencil
