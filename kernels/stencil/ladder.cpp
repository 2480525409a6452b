#include "kernels/stencil/ladder.h"

namespace rooftune::stencil {

Ladder ladder() {
    Ladder ladder;
    // The textbook loop has none of the parameters below SIMD, so that comes as soon as it can. Blocks come
    // before fused steps, whose planes would not stay in a cache otherwise, and non-temporal stores last:
    // they pay once nothing reads back what was written.
    ladder.optimisations = {
        {"threads", {"threads"}, "more cores, and more of the memory's bandwidth"},
        {"placement", {"placement"}, "each thread reads pages of its own node"},
        {"SIMD", {"simd"}, "several points an instruction"},
        {"register block", {"rows", "unroll"}, "neighbouring rows share what they load"},
        {"blocks", {"block_y", "block_z", "partition"}, "planes stay in a cache until they are needed again"},
        {"fused steps", {"depth"}, "several time steps for one pass over the grid"},
        {"streams", {"streams"}, "several places of the grid are read at a time"},
        {"prefetch", {"prefetch"}, "rows are there when they are needed"},
        {"padding", {"padding"}, "rows do not fall into the same sets of a cache"},
        {"pages", {"pages"}, "fewer translations, or less to clear"},
        {"stores", {"store"}, "no line is read only to be overwritten"},
    };
    ladder.plain = {{"simd", "scalar"},   {"depth", "1"},       {"rows", "1x1"},    {"unroll", "1"},
                    {"block_y", "whole"}, {"block_z", "whole"}, {"partition", "z"}, {"streams", "1"},
                    {"store", "regular"}, {"prefetch", "0"},    {"padding", "0"},   {"pages", "huge"}};
    return ladder;
}

}  // namespace rooftune::stencil
