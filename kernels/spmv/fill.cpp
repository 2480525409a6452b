#include "kernels/spmv/fill.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernels/spmv/blocks.h"

namespace rooftune::spmv {
namespace {

std::int64_t base_of(const Layout& layout, std::int64_t segment) {
    return layout.base.empty() ? 0 : layout.base[static_cast<std::size_t>(segment)];
}

template <typename T, typename Index>
void fill_csr(const CsrView& a, const Layout& layout, std::int64_t s0, std::int64_t s1, T* values,
              Index* indices) {
    for (std::int64_t s = s0; s < s1; ++s) {
        const std::int64_t base = base_of(layout, s);
        const std::int64_t end = layout.step_begin[static_cast<std::size_t>(s) + 1];
        for (std::int64_t k = layout.step_begin[static_cast<std::size_t>(s)]; k < end; ++k) {
            values[k] = static_cast<T>(a.value[static_cast<std::size_t>(k)]);
            indices[k] = static_cast<Index>(a.column[static_cast<std::size_t>(k)] - base);
        }
    }
}

template <typename T, typename Index>
void fill_block_row(const CsrView& a, const Layout& layout, std::int64_t g, T* values, Index* indices) {
    const BlockShape shape = layout.key.block;
    const std::int64_t size = std::int64_t{shape.rows} * shape.cols;
    const std::int64_t first = layout.step_of(g);
    std::int64_t segment = layout.segment_of(g);
    T* const out = values + first * size;
    std::fill(out, values + layout.step_of(g + 1) * size, T{0});
    each_entry(
        a, shape, g,
        [&](std::int64_t n, std::uint32_t block) {
            while (first + n >= layout.step_begin[static_cast<std::size_t>(segment) + 1]) ++segment;
            indices[first + n] = static_cast<Index>(block - base_of(layout, segment));
        },
        [&](std::int64_t n, std::int64_t i, std::int64_t j, std::int64_t k) {
            out[n * size + j * shape.rows + i] = static_cast<T>(a.value[static_cast<std::size_t>(k)]);
        });
}

/// One behind the last of a row's entries k … end−1 that lie in a segment, which their columns ascend to.
std::int64_t entries_end(const CsrView& a, const Layout& layout, std::int64_t segment, std::int64_t k,
                         std::int64_t end) {
    if (layout.base.empty()) return end;
    const std::int64_t limit = base_of(layout, segment) + kShortReach;
    // A segment that reaches the row's last entry is the rule.
    if (k == end || a.column[static_cast<std::size_t>(end) - 1] < limit) return end;
    const auto column = a.column.begin();
    return std::lower_bound(column + k, column + end, limit) - column;
}

constexpr std::size_t kHighestChunk = *std::max_element(kChunks.begin(), kChunks.end());

template <typename T, typename Index>
void fill_chunk(const CsrView& a, const Layout& layout, std::int64_t g, T* values, Index* indices) {
    const std::int64_t chunk = layout.key.chunk;
    std::array<std::int64_t, kHighestChunk> at{}, end{};
    const std::int64_t lanes = std::min(chunk, layout.rows - g * chunk);  // the others have no row
    for (std::int64_t l = 0; l < lanes; ++l) {
        const auto p = static_cast<std::size_t>(g * chunk + l);
        const std::size_t row = layout.row_of.empty() ? p : layout.row_of[p];
        at[static_cast<std::size_t>(l)] = a.row_begin[row];
        end[static_cast<std::size_t>(l)] = a.row_begin[row + 1];
    }
    for (std::int64_t s = layout.segment_of(g); s < layout.segment_of(g + 1); ++s) {
        const std::int64_t base = base_of(layout, s);
        const std::int64_t first = layout.step_begin[static_cast<std::size_t>(s)];
        const std::int64_t last = layout.step_begin[static_cast<std::size_t>(s) + 1];
        std::int64_t touched = INT64_MAX;  // some column of this segment, for rows without entries
        for (std::size_t l = 0; l < static_cast<std::size_t>(lanes); ++l) {
            if (at[l] < end[l])
                touched = std::min<std::int64_t>(touched, a.column[static_cast<std::size_t>(at[l])]);
        }
        for (std::int64_t l = 0; l < chunk; ++l) {
            std::int64_t& k = at[static_cast<std::size_t>(l)];
            // No more than the segment has steps, whatever became of a program's arrays meanwhile.
            const std::int64_t stop =
                std::min(k + last - first, entries_end(a, layout, s, k, end[static_cast<std::size_t>(l)]));
            std::int64_t out = first * chunk + l;
            const std::int64_t pad = k < stop ? a.column[static_cast<std::size_t>(stop) - 1] : touched;
            for (; k < stop; ++k, out += chunk) {
                values[out] = static_cast<T>(a.value[static_cast<std::size_t>(k)]);
                indices[out] = static_cast<Index>(a.column[static_cast<std::size_t>(k)] - base);
            }
            for (; out < last * chunk; out += chunk) {
                values[out] = T{0};
                indices[out] = static_cast<Index>(pad - base);
            }
        }
    }
}

}  // namespace

template <typename T, typename Index>
void fill_groups(const CsrView& a, const Layout& layout, std::int64_t g0, std::int64_t g1, T* values,
                 Index* indices) {
    if (layout.key.format == Format::csr) {
        fill_csr(a, layout, layout.segment_of(g0), layout.segment_of(g1), values, indices);
        return;
    }
    for (std::int64_t g = g0; g < g1; ++g) {
        if (layout.key.format == Format::bcsr) {
            fill_block_row(a, layout, g, values, indices);
        } else {
            fill_chunk(a, layout, g, values, indices);
        }
    }
}

template void fill_groups(const CsrView&, const Layout&, std::int64_t, std::int64_t, double*, std::uint32_t*);
template void fill_groups(const CsrView&, const Layout&, std::int64_t, std::int64_t, double*, std::uint16_t*);
template void fill_groups(const CsrView&, const Layout&, std::int64_t, std::int64_t, float*, std::uint32_t*);
template void fill_groups(const CsrView&, const Layout&, std::int64_t, std::int64_t, float*, std::uint16_t*);

}  // namespace rooftune::spmv
