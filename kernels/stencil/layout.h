// Where the elements of a grid lie: rows begin on cache lines, so that whole lines can be streamed, and
// one layer around the grid holds the boundary's values. The element before x = 0 is the last of the
// row below, which the pitch keeps free.
#pragma once

#include <cstddef>

#include "kernels/runtime/memory.h"
#include "kernels/stencil/grid.h"

namespace rooftune::stencil {

struct Layout {
    std::int64_t row_bytes = 0;    ///< pitch of rows: whole lines, nx + 2 elements at least
    std::int64_t plane_bytes = 0;  ///< pitch of planes: ny + 2 rows
    std::int64_t first = 0;        ///< offset of element (0, 0, 0)
    std::int64_t bytes = 0;        ///< of all

    /// Offset of the element at x = 0; y and z from −1 to ny and nz.
    std::int64_t at(std::int64_t y, std::int64_t z) const { return first + y * row_bytes + z * plane_bytes; }
};

/// `padding`: lines added to the pitch of a row.
inline Layout layout_of(const Grid& g, std::int64_t padding) {
    constexpr auto kLine = static_cast<std::int64_t>(kCacheLine);
    Layout l;
    l.row_bytes = ((g.nx + 2) * g.element() + kLine - 1) / kLine * kLine + padding * kLine;
    l.plane_bytes = l.row_bytes * (g.ny + 2);
    l.first = kLine + l.row_bytes + l.plane_bytes;
    l.bytes = kLine + l.plane_bytes * (g.nz + 2);
    return l;
}

}  // namespace rooftune::stencil
