#include "kernels/stencil/likely.h"

#include <algorithm>

#include "kernels/stencil/layout.h"
#include "kernels/stencil/sweep.h"

namespace rooftune::stencil {
namespace {

/// How often a block of `size` reads an element when it reaches `reach` beyond itself on both sides.
double overlap(std::int64_t size, std::int64_t length, std::int64_t reach) {
    if (size >= length) return 1.0;
    return static_cast<double>(size + 2 * reach) / static_cast<double>(size);
}

}  // namespace

Bytes likely_bytes(const Grid& g, const Choice& c, Bytes capacity) {
    const Layout layout = layout_of(g, c.padding);
    const std::int64_t passes = blocks_in(g.steps, c.depth);
    const double arrays = passes > 1 ? 3.0 : 2.0;
    if (arrays * static_cast<double>(layout.bytes) <= capacity.value) return Bytes(0.0);

    const double mine = capacity.value / c.cut.threads;
    const auto row = static_cast<double>(layout.row_bytes);
    const std::int64_t slab_y =
        c.cut.partition == Partition::y ? std::max<std::int64_t>(1, g.ny / c.cut.threads) : g.ny;
    const std::int64_t height = std::min(c.cut.block_y, slab_y);
    const double writes = c.store == Store::nontemporal ? 1.0 : 2.0;  // ordinary stores fetch first
    const double edges = overlap(c.cut.block_y, g.ny, c.depth) * overlap(c.cut.block_z, g.nz, c.depth);
    double moved = 0.0;  // bytes a point and pass, in elements
    if (c.depth > 1) {
        const double planes = 4.0 * static_cast<double>(height + 2 * c.depth) * row;
        const bool fits =
            static_cast<double>(scratch_bytes(g, layout, c.depth, c.cut.block_y)) + planes <= mine;
        // Steps that do not stay inside read, fetch and write once more each.
        moved = edges + writes + (fits ? 0.0 : 3.0 * (c.depth - 1));
    } else {
        const double planes = (c.rows.z + 3.0) * static_cast<double>(height + 2) * row;
        const double rows = (c.rows.z + 2.0) * (c.rows.y + 3.0) * c.streams * row;
        const double each = c.rows.y * c.rows.z;
        const double neighbours =
            g.points == 7 ? each + 2.0 * (c.rows.y + c.rows.z) : (c.rows.y + 2.0) * (c.rows.z + 2.0);
        const double by_plane = (c.rows.z + 2.0) / c.rows.z * overlap(c.cut.block_y, g.ny, 1);
        if (planes <= mine) {
            moved = edges;
        } else if (rows <= mine) {
            moved = std::max(edges, by_plane);
        } else {
            moved = std::max({edges, by_plane, neighbours / each});
        }
        moved += writes;
    }
    return Bytes(moved * static_cast<double>(passes) * static_cast<double>(g.volume() * g.element()));
}

}  // namespace rooftune::stencil
