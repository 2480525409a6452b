#include "kernels/spmv/layout.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>

#include "kernels/spmv/blocks.h"

namespace rooftune::spmv {
namespace {

std::int64_t begin_of(const CsrView& a, std::int64_t row) {
    return a.row_begin[static_cast<std::size_t>(row)];
}
std::int64_t end_of(const CsrView& a, std::int64_t row) {
    return a.row_begin[static_cast<std::size_t>(row) + 1];
}

/// Calls visit(row) for the rows of a group that exist.
template <typename Visit>
void each_row(const Layout& layout, std::int64_t group, Visit&& visit) {
    const std::int64_t height = layout.key.group_rows();
    const std::int64_t last = std::min(layout.rows, (group + 1) * height);
    for (std::int64_t p = group * height; p < last; ++p) {
        visit(layout.row_of.empty() ? p : std::int64_t{layout.row_of[static_cast<std::size_t>(p)]});
    }
}

struct Span {
    std::int64_t first = INT64_MAX;
    std::int64_t last = -1;
    bool short_enough() const { return last - first < kShortReach; }
};

/// First and last column (block column) that a group touches.
Span span_of(const CsrView& a, const Layout& layout, std::int64_t group) {
    Span span;
    each_row(layout, group, [&](std::int64_t row) {
        if (begin_of(a, row) == end_of(a, row)) return;
        span.first = std::min<std::int64_t>(span.first, a.column[static_cast<std::size_t>(begin_of(a, row))]);
        span.last = std::max<std::int64_t>(span.last, a.column[static_cast<std::size_t>(end_of(a, row)) - 1]);
    });
    if (layout.key.format == Format::bcsr && span.last >= 0) {
        span.first /= layout.key.block.cols;
        span.last /= layout.key.block.cols;
    }
    return span;
}

struct Window {
    std::int64_t base;
    std::int64_t steps;
};

/// Cuts an ascending sequence of columns (block columns): each window begins at the first that the
/// one before does not reach.
class Windows {
public:
    void take(std::int64_t column) {
        if (windows_.empty() || column - windows_.back().base >= kShortReach) windows_.push_back({column, 0});
        ++windows_.back().steps;
    }
    std::vector<Window>& list() { return windows_; }

private:
    std::vector<Window> windows_;
};

/// SELL: each window begins at the least column that any row of the chunk still has, and is as many
/// steps long as the row with most entries in it.
std::vector<Window> sell_windows(const CsrView& a, const Layout& layout, std::int64_t group) {
    std::vector<std::int64_t> at;
    std::vector<std::int64_t> end;
    each_row(layout, group, [&](std::int64_t row) {
        at.push_back(begin_of(a, row));
        end.push_back(end_of(a, row));
    });
    std::vector<Window> windows;
    for (;;) {
        Window window{INT64_MAX, 0};
        for (std::size_t l = 0; l < at.size(); ++l) {
            if (at[l] < end[l])
                window.base = std::min<std::int64_t>(window.base, a.column[static_cast<std::size_t>(at[l])]);
        }
        if (window.base == INT64_MAX) return windows;
        for (std::size_t l = 0; l < at.size(); ++l) {
            const std::int64_t from = at[l];
            while (at[l] < end[l] && a.column[static_cast<std::size_t>(at[l])] - window.base < kShortReach)
                ++at[l];
            window.steps = std::max(window.steps, at[l] - from);
        }
        windows.push_back(window);
    }
}

/// Writes the number of blocks of block rows g0 … g1−1 to counts[g]. Each block column is marked with the
/// block row that met it last: the blocks' order does not matter here, and the merge that gives it takes far
/// longer. `met`: a mark for each block column, all 0.
template <int kCols>
void count_blocks(const CsrView& a, std::int64_t g0, std::int64_t g1, std::int64_t height,
                  std::span<std::uint32_t> met, std::int64_t* counts) {
    for (std::int64_t g = g0; g < g1; ++g) {
        const auto mark = static_cast<std::uint32_t>(g + 1);
        std::int64_t blocks = 0;
        const std::int64_t end = end_of(a, std::min(a.rows, (g + 1) * height) - 1);
        for (std::int64_t k = begin_of(a, g * height); k < end; ++k) {
            std::uint32_t& last = met[a.column[static_cast<std::size_t>(k)] / kCols];
            blocks += last != mark;
            last = mark;
        }
        counts[g] = blocks;
    }
}

using CountBlocks = void (*)(const CsrView&, std::int64_t g0, std::int64_t g1, std::int64_t height,
                             std::span<std::uint32_t> met, std::int64_t* counts);

CountBlocks counting(BlockShape shape) {
    switch (shape.cols) {
        case 1:
            return count_blocks<1>;
        case 2:
            return count_blocks<2>;
        case 3:
            return count_blocks<3>;
        case 4:
            return count_blocks<4>;
        case 6:
            return count_blocks<6>;
        case 8:
            return count_blocks<8>;
        default:
            throw std::logic_error("spmv: no layout for blocks of " + to_text(shape));
    }
}

/// The number of blocks of each block row.
std::vector<std::int64_t> count_blocks(const CsrView& a, std::int64_t groups, BlockShape shape, Team* team) {
    constexpr std::int64_t kWorthSharing = 1 << 16;  // stored entries
    std::vector<std::int64_t> counts(static_cast<std::size_t>(groups), 0);
    if (a.cols / 8 > a.stored()) {
        // The marks would be more than the matrix.
        for (std::int64_t g = 0; g < groups; ++g) {
            std::int64_t& blocks = counts[static_cast<std::size_t>(g)];
            each_block(a, shape, g, [&](std::int64_t) { ++blocks; });
        }
        return counts;
    }
    // As many threads as have no more marks together than there are entries. What a thread may fail to get,
    // or would refuse, comes before: there it would end the program.
    const std::int64_t marks = (a.cols + shape.cols - 1) / shape.cols;
    std::int64_t parts = team == nullptr || a.stored() < kWorthSharing ? 1 : team->size();
    parts = std::clamp<std::int64_t>(a.stored() / std::max<std::int64_t>(1, marks), 1, parts);
    const auto met = std::make_unique_for_overwrite<std::uint32_t[]>(static_cast<std::size_t>(parts * marks));
    const CountBlocks count_some = counting(shape);
    auto count = [&](int part) {
        const std::span<std::uint32_t> mine(met.get() + part * marks, static_cast<std::size_t>(marks));
        std::fill(mine.begin(), mine.end(), 0U);
        count_some(a, groups * part / parts, groups * (part + 1) / parts, shape.rows, mine, counts.data());
    };
    if (parts > 1) {
        team->run(static_cast<int>(parts), count);
    } else {
        count(0);
    }
    return counts;
}

std::vector<Window> windows_of(const CsrView& a, const Layout& layout, std::int64_t group) {
    if (layout.key.format == Format::sell) return sell_windows(a, layout, group);
    Windows windows;
    if (layout.key.format == Format::csr) {
        for (std::int64_t k = begin_of(a, group); k < end_of(a, group); ++k)
            windows.take(a.column[static_cast<std::size_t>(k)]);
    } else {
        each_block(a, layout.key.block, group, [&](std::int64_t block) { windows.take(block); });
    }
    return std::move(windows.list());
}

}  // namespace

std::int64_t Layout::rows_of(std::int64_t g0, std::int64_t g1) const {
    return std::min(rows, g1 * key.group_rows()) - std::min(rows, g0 * key.group_rows());
}

std::vector<std::int64_t> sort_windows(std::int64_t rows) {
    std::vector<std::int64_t> windows{1, 64, 256, 4096, rows};
    std::erase_if(windows, [rows](std::int64_t window) { return window > rows; });
    return windows;
}

std::vector<std::uint32_t> sorted_rows(const CsrView& a, std::int64_t sigma) {
    if (sigma <= 1) return {};
    std::vector<std::uint32_t> order(static_cast<std::size_t>(a.rows));
    std::iota(order.begin(), order.end(), 0U);
    const auto longer = [&](std::uint32_t p, std::uint32_t q) { return a.row_length(p) > a.row_length(q); };
    for (std::int64_t from = 0; from < a.rows; from += sigma) {
        const std::int64_t to = std::min(a.rows, from + sigma);
        std::stable_sort(order.begin() + from, order.begin() + to, longer);
    }
    if (std::is_sorted(order.begin(), order.end())) order.clear();
    return order;
}

Layout make_wide_layout(const CsrView& a, const FormatKey& key, const std::vector<std::uint32_t>& order,
                        Team* team) {
    Layout layout;
    layout.key = key;
    layout.rows = a.rows;
    const std::int64_t height = key.group_rows();
    layout.groups = (a.rows + height - 1) / height;
    if (key.format == Format::sell) layout.row_of = order;
    layout.step_begin.reserve(static_cast<std::size_t>(layout.groups) + 1);
    std::int64_t steps = 0;
    const auto add = [&](std::int64_t more) { layout.step_begin.push_back(steps += more); };
    if (key.format == Format::bcsr) {
        for (const std::int64_t blocks : count_blocks(a, layout.groups, key.block, team)) add(blocks);
        return layout;
    }
    for (std::int64_t g = 0; g < layout.groups; ++g) {
        std::int64_t longest = 0;
        each_row(layout, g, [&](std::int64_t row) { longest = std::max(longest, a.row_length(row)); });
        add(longest);
    }
    return layout;
}

Layout make_short_layout(const CsrView& a, const Layout& wide) {
    Layout layout = wide;
    layout.key.index_bits = 16;
    const std::int64_t width = layout.key.format == Format::bcsr ? layout.key.block.cols : 1;
    if ((a.cols + width - 1) / width <= kShortReach) return layout;

    layout.step_begin.assign(1, 0);
    layout.first_segment.push_back(0);
    std::int64_t steps = 0;
    const auto add = [&](std::int64_t g, std::int64_t base, std::int64_t more) {
        steps += more;
        layout.step_begin.push_back(steps);
        layout.base.push_back(static_cast<std::uint32_t>(base));
        layout.group.push_back(static_cast<std::uint32_t>(g));
    };
    for (std::int64_t g = 0; g < layout.groups; ++g) {
        const Span span = span_of(a, wide, g);
        if (span.last < 0) {
            add(g, 0, 0);
        } else if (span.short_enough()) {
            add(g, span.first, wide.step_of(g + 1) - wide.step_of(g));
        } else {
            for (const Window& w : windows_of(a, wide, g)) add(g, w.base, w.steps);
        }
        layout.first_segment.push_back(layout.segments());
    }
    if (layout.segments() == layout.groups) {
        layout.group.clear();
        layout.first_segment.clear();
    }
    for (std::vector<std::uint32_t>* words : {&layout.base, &layout.group}) words->shrink_to_fit();
    for (std::vector<std::int64_t>* words : {&layout.step_begin, &layout.first_segment})
        words->shrink_to_fit();
    return layout;
}

Layout make_layout(const CsrView& a, const FormatKey& key, Team* team) {
    FormatKey wide = key;
    wide.index_bits = 32;
    const std::vector<std::uint32_t> order =
        key.format == Format::sell ? sorted_rows(a, key.sigma) : std::vector<std::uint32_t>();
    Layout layout = make_wide_layout(a, wide, order, team);
    return key.index_bits == 32 ? layout : make_short_layout(a, layout);
}

}  // namespace rooftune::spmv
