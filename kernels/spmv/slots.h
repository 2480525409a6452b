// Where the entries of a matrix lie among the values of a converted one: what new values for a pattern that
// is converted already need, and what reads the values back.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/spmv/blocks.h"
#include "kernels/spmv/layout.h"
#include "kernels/spmv/sparse.h"

namespace rooftune::spmv {

/// Calls visit(entry, slot) for each stored entry of groups g0 … g1−1: entry of the compressed rows, slot of
/// the layout's values. Slots that no entry has are padding. `pattern` is the matrix that the layout was made
/// of; its values are not looked at, and of a layout of compressed rows nothing is.
template <typename Visit>
void each_slot(const CsrView& pattern, const Layout& layout, std::int64_t g0, std::int64_t g1,
               Visit&& visit) {
    if (layout.key.format == Format::csr) {
        for (std::int64_t k = layout.step_of(g0); k < layout.step_of(g1); ++k) visit(k, k);
        return;
    }
    if (layout.key.format == Format::bcsr) {
        const BlockShape shape = layout.key.block;
        const std::int64_t size = std::int64_t{shape.rows} * shape.cols;
        for (std::int64_t g = g0; g < g1; ++g) {
            const std::int64_t first = layout.step_of(g) * size;
            each_entry(
                pattern, shape, g, [](std::int64_t, std::uint32_t) {},
                [&](std::int64_t n, std::int64_t i, std::int64_t j, std::int64_t k) {
                    visit(k, first + n * size + j * shape.rows + i);
                });
        }
        return;
    }
    const std::int64_t chunk = layout.key.chunk;
    for (std::int64_t position = g0 * chunk; position < std::min(layout.rows, g1 * chunk); ++position) {
        const std::int64_t g = position / chunk, lane = position % chunk;
        const std::size_t at = static_cast<std::size_t>(position);
        const std::size_t row = layout.row_of.empty() ? at : layout.row_of[at];
        std::int64_t k = pattern.row_begin[row];
        const std::int64_t end = pattern.row_begin[row + 1];
        for (std::int64_t s = layout.segment_of(g); s < layout.segment_of(g + 1); ++s) {
            const std::int64_t limit =
                layout.base.empty() ? INT64_MAX : layout.base[static_cast<std::size_t>(s)] + kShortReach;
            std::int64_t slot = layout.step_begin[static_cast<std::size_t>(s)] * chunk + lane;
            for (; k < end && pattern.column[static_cast<std::size_t>(k)] < limit; ++k, slot += chunk)
                visit(k, slot);
        }
    }
}

}  // namespace rooftune::spmv
