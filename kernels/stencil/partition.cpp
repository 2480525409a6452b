#include "kernels/stencil/partition.h"

#include <algorithm>

namespace rooftune::stencil {

Block slab_of(const Grid& grid, const Cut& cut, int thread) {
    Block slab{{0, grid.ny}, {0, grid.nz}};
    if (cut.partition == Partition::z) slab.z = share_of(grid.nz, thread, cut.threads);
    if (cut.partition == Partition::y) slab.y = share_of(grid.ny, thread, cut.threads);
    return slab;
}

std::vector<Block> blocks_of(const Grid& grid, const Cut& cut, int thread) {
    const Block slab = slab_of(grid, cut, thread);
    std::vector<Block> blocks;
    std::int64_t number = 0;
    for (std::int64_t z = slab.z.begin; z < slab.z.end; z += cut.block_z) {
        for (std::int64_t y = slab.y.begin; y < slab.y.end; y += cut.block_y) {
            if (cut.partition == Partition::cyclic && number++ % cut.threads != thread) continue;
            blocks.push_back(
                {{y, std::min(y + cut.block_y, slab.y.end)}, {z, std::min(z + cut.block_z, slab.z.end)}});
        }
    }
    return blocks;
}

}  // namespace rooftune::stencil
