#include "kernels/spmv/fill.h"

#include <algorithm>
#include <vector>

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
    std::int64_t segment = layout.segment_of(g);
    std::int64_t step = layout.step_of(g);
    each_block(a, shape, g, [&](std::int64_t block, const auto* begin, const auto* end, auto rows) {
        while (step >= layout.step_begin[static_cast<std::size_t>(segment) + 1]) ++segment;
        T* out = values + step * shape.rows * shape.cols;
        std::fill(out, out + shape.rows * shape.cols, T{0});
        for (int i = 0; i < rows; ++i) {
            for (std::int64_t k = begin[i]; k < end[i]; ++k) {
                const std::int64_t j = a.column[static_cast<std::size_t>(k)] - block * shape.cols;
                out[j * shape.rows + i] = static_cast<T>(a.value[static_cast<std::size_t>(k)]);
            }
        }
        indices[step] = static_cast<Index>(block - base_of(layout, segment));
        ++step;
    });
}

template <typename T, typename Index>
void fill_chunk(const CsrView& a, const Layout& layout, std::int64_t g, T* values, Index* indices) {
    const std::int64_t chunk = layout.key.chunk;
    std::vector<std::int64_t> at(static_cast<std::size_t>(chunk), 0);
    std::vector<std::int64_t> end(static_cast<std::size_t>(chunk), 0);
    for (std::int64_t l = 0; l < chunk && g * chunk + l < layout.rows; ++l) {
        const auto p = static_cast<std::size_t>(g * chunk + l);
        const std::size_t row = layout.row_of.empty() ? p : layout.row_of[p];
        at[static_cast<std::size_t>(l)] = a.row_begin[row];
        end[static_cast<std::size_t>(l)] = a.row_begin[row + 1];
    }
    for (std::int64_t s = layout.segment_of(g); s < layout.segment_of(g + 1); ++s) {
        const std::int64_t base = base_of(layout, s);
        const std::int64_t limit = layout.base.empty() ? INT64_MAX : base + kShortReach;
        const std::int64_t first = layout.step_begin[static_cast<std::size_t>(s)];
        const std::int64_t steps = layout.step_begin[static_cast<std::size_t>(s) + 1] - first;
        std::int64_t touched = INT64_MAX;  // some column of this segment, for rows without entries
        for (std::size_t l = 0; l < at.size(); ++l) {
            if (at[l] < end[l])
                touched = std::min<std::int64_t>(touched, a.column[static_cast<std::size_t>(at[l])]);
        }
        for (std::int64_t l = 0; l < chunk; ++l) {
            std::int64_t& k = at[static_cast<std::size_t>(l)];
            std::int64_t pad = touched;
            for (std::int64_t n = 0; n < steps; ++n) {
                const std::int64_t out = (first + n) * chunk + l;
                const bool has =
                    k < end[static_cast<std::size_t>(l)] && a.column[static_cast<std::size_t>(k)] < limit;
                values[out] = has ? static_cast<T>(a.value[static_cast<std::size_t>(k)]) : T{0};
                if (has) pad = a.column[static_cast<std::size_t>(k++)];
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
