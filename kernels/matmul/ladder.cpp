#include "kernels/matmul/ladder.h"

namespace rooftune::matmul {

Ladder ladder() {
    Ladder ladder;
    // A tile is compiled for a width, so the two are one optimisation. Packing comes before the blocks whose
    // copies it makes, and prefetching of packed blocks after both.
    ladder.optimisations = {
        {"threads", {"threads"}, "more cores"},
        {"register tile and SIMD", {"method", "simd", "tile"}, "each element loaded serves many products"},
        {"unrolling", {"unroll"}, "less of the loop's own work"},
        {"packing", {"pack_a", "pack_b"}, "operands lie in the order of use"},
        {"cache blocks", {"kc", "mc", "nc"}, "a block stays in its cache until it is used up"},
        {"loops", {"loop", "order"}, "what the threads share, and which operand stays"},
        {"prefetch", {"ahead", "prefetch_c"}, "operands are there when they are needed"},
        {"pages", {"pages"}, "fewer translations, or less to clear"},
    };
    ladder.plain = {{"method", "tiled"},  {"simd", "scalar"}, {"tile", "4x4"},      {"unroll", "1"},
                    {"pack_a", "no"},     {"pack_b", "no"},   {"kc", "whole"},      {"mc", "whole"},
                    {"nc", "whole"},      {"loop", "m"},      {"order", "b_outer"}, {"ahead", "0"},
                    {"prefetch_c", "no"}, {"pages", "huge"}};
    return ladder;
}

Ladder opencl_ladder(const Device& device) {
    const Optimisation groups{"work-groups",
                              {"group_rows", "group_columns"},
                              "items that share a core, its caches and its local memory"};
    const Optimisation tile{"register tile",
                            {"item_rows", "item_vectors", "vector", "spread"},
                            "each element loaded serves many products"};
    Ladder ladder;
    ladder.optimisations =
        device.is_cpu ? std::vector<Optimisation>{tile, groups} : std::vector<Optimisation>{groups, tile};
    // The kernel with tiles begins with the first of them.
    ladder.optimisations.front().parameters.insert(ladder.optimisations.front().parameters.begin(), "method");
    ladder.optimisations.push_back({"local memory", {"local", "k_block"}, "a group loads an operand once"});
    ladder.optimisations.push_back({"unrolling", {"unroll"}, "less of the loop's own work"});
    ladder.optimisations.push_back({"order", {"order"}, "which operand neighbouring groups share"});
    ladder.plain = {{"method", "tiled"}, {"item_rows", "1"},     {"item_vectors", "1"},     {"vector", "1"},
                    {"group_rows", "1"}, {"group_columns", "1"}, {"local", "none"},         {"k_block", "16"},
                    {"unroll", "1"},     {"order", "rows"},      {"spread", "side_by_side"}};
    return ladder;
}

}  // namespace rooftune::matmul
