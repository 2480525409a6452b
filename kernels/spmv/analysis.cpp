#include "kernels/spmv/analysis.h"

#include <algorithm>
#include <string>

#include "kernels/runtime/error.h"
#include "kernels/spmv/likely.h"

namespace rooftune::spmv {
namespace {

std::vector<int> thread_counts(int most) {
    std::vector<int> counts;
    for (int t = 1; t < most; t *= 2) counts.push_back(t);
    counts.push_back(most);
    return counts;
}

void add_vectors(ThreadShare& share, std::int64_t length) {
    for (int i = 0; i < kLaneKinds; ++i)
        share.vectors[static_cast<std::size_t>(i)] += (length + (1 << i) - 1) >> i;
}

ThreadShare share_of(const Layout& layout, std::int64_t g0, std::int64_t g1) {
    ThreadShare share;
    const std::int64_t s0 = layout.segment_of(g0);
    const std::int64_t s1 = layout.segment_of(g1);
    share.steps = layout.step_of(g1) - layout.step_of(g0);
    share.segments = s1 - s0;
    share.groups = g1 - g0;
    share.rows = layout.rows_of(g0, g1);
    if (layout.key.format == Format::csr) {
        for (std::int64_t s = s0; s < s1; ++s) {
            const auto at = static_cast<std::size_t>(s);
            add_vectors(share, layout.step_begin[at + 1] - layout.step_begin[at]);
        }
    }
    return share;
}

/// A row counts where it begins, which is where its first sum is stored.
ThreadShare share_of(const Layout& layout, const ThreadRange& range) {
    ThreadShare share = share_of(layout, range.g0, range.g1);
    const auto add = [&](std::int64_t group, Steps steps) {
        each_part(layout, group, steps, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
            share.steps += end - begin;
            ++(begin == layout.step_begin[static_cast<std::size_t>(s)] ? share.segments : share.continued);
            add_vectors(share, end - begin);
        });
    };
    if (!range.head.empty()) add(range.g0 - 1, range.head);
    if (!range.tail.empty()) {
        add(range.g1, range.tail);
        ++share.groups;
        share.rows += layout.rows_of(range.g1, range.g1 + 1);
    }
    return share;
}

/// Of the segments that a thread walks, the longest, with those of cut groups as far as they are its own.
std::int64_t longest_of(const Layout& layout, const ThreadRange& range) {
    std::int64_t longest = 0;
    for (std::int64_t s = layout.segment_of(range.g0); s < layout.segment_of(range.g1); ++s) {
        const auto at = static_cast<std::size_t>(s);
        longest = std::max(longest, layout.step_begin[at + 1] - layout.step_begin[at]);
    }
    const auto part = [&](std::int64_t, std::int64_t begin, std::int64_t end) {
        longest = std::max(longest, end - begin);
    };
    if (!range.head.empty()) each_part(layout, range.g0 - 1, range.head, part);
    if (!range.tail.empty()) each_part(layout, range.g1, range.tail, part);
    return longest;
}

/// `longest`: of the whole layout.
Split make_split(const Layout& layout, const std::vector<ThreadRange>& ranges, std::int64_t longest) {
    Split split;
    const bool cuts = cuts_groups(ranges);
    split.longest = cuts ? 0 : longest;
    std::array<std::vector<std::vector<Walk>>, kStreamKinds> walks;
    for (const ThreadRange& range : ranges) {
        split.threads.push_back(share_of(layout, range));
        if (cuts) split.longest = std::max(split.longest, longest_of(layout, range));
        for (int i = 0; i < kStreamKinds; ++i) {
            walks[static_cast<std::size_t>(i)].push_back(walks_of(layout, range.g0, range.g1, 1 << i));
        }
    }
    for (std::size_t i = 1; i < kStreamKinds; ++i) {
        const auto same = [&](const auto& fewer) { return fewer == walks[i]; };
        if (std::none_of(walks.begin(), walks.begin() + static_cast<std::ptrdiff_t>(i), same))
            split.streams |= 1U << i;
    }
    return split;
}

double heaviest(const Split& split) {
    std::int64_t most = 0;
    for (const ThreadShare& share : split.threads) most = std::max(most, share.steps);
    return static_cast<double>(most);
}

/// Less would be lost in what adding up costs, and the space has enough of what nobody can tell apart.
constexpr double kWorthCutting = 1.05;

FormatSummary summarise(const Layout& layout, DType dtype, const std::vector<int>& threads,
                        std::int64_t x_elements) {
    FormatSummary summary;
    summary.key = layout.key;
    summary.groups = layout.groups;
    summary.segments = layout.segments();
    summary.steps = layout.steps();
    for (std::size_t s = 1; s < layout.step_begin.size(); ++s) {
        summary.longest = std::max(summary.longest, layout.step_begin[s] - layout.step_begin[s - 1]);
    }
    summary.has_bases = !layout.base.empty();
    summary.has_groups = !layout.group.empty();
    summary.permuted = !layout.row_of.empty();
    summary.bytes = matrix_bytes(layout, dtype);
    summary.x_elements = x_elements;
    summary.all = share_of(layout, 0, layout.groups);
    for (const int t : threads) {
        const auto add = [&](const std::vector<ThreadRange>& ranges) {
            summary.splits.push_back(make_split(layout, ranges, summary.longest));
        };
        const std::vector<ThreadRange> by_rows = ranges_of(layout, t, Partition::rows);
        const std::vector<ThreadRange> by_steps = ranges_of(layout, t, Partition::nnz);
        add(by_rows);
        add(by_steps);
        summary.partition_matters.push_back(by_rows != by_steps);
        // Rows of blocks and chunks are never cut.
        std::vector<ThreadRange> cut;
        if (layout.key.format == Format::csr && t > 1) cut = ranges_of(layout, t, Partition::split);
        const double whole = heaviest(summary.splits.back());
        if (cuts_groups(cut)) {
            add(cut);
        } else {
            summary.splits.push_back(summary.splits.back());
        }
        summary.cuts_rows.push_back(whole > kWorthCutting * heaviest(summary.splits.back()));
    }
    return summary;
}

/// Elements of x that are read when a touched column brings in its whole block column.
class Touched {
public:
    explicit Touched(const CsrView& a) : cols_(a.cols), touched_(static_cast<std::size_t>(a.cols), false) {
        for (const std::uint32_t c : a.column) touched_[c] = true;
    }
    std::int64_t elements(int block_cols) const {
        std::int64_t sum = 0;
        for (std::int64_t c = 0; c < cols_; c += block_cols) {
            const std::int64_t end = std::min(cols_, c + block_cols);
            bool any = false;
            for (std::int64_t j = c; j < end; ++j) any = any || touched_[static_cast<std::size_t>(j)];
            if (any) sum += end - c;
        }
        return sum;
    }

private:
    std::int64_t cols_;
    std::vector<bool> touched_;
};

/// What needs no format. Throws InputError for more columns than there are indices for.
Analysis sizes_of(const CsrView& a, DType dtype, int threads) {
    if (a.cols > INT32_MAX) {
        throw InputError(
            "spmv: the matrix has " + std::to_string(a.cols) +
            " columns and the kernels gather with 31-bit indices; give one with at most 2147483647");
    }
    Analysis analysis;
    analysis.dtype = dtype;
    analysis.rows = a.rows;
    analysis.cols = a.cols;
    analysis.stored = a.stored();
    for (std::int64_t i = 0; i < a.rows; ++i)
        analysis.longest_row = std::max(analysis.longest_row, a.row_length(i));
    analysis.threads = thread_counts(threads);
    return analysis;
}

}  // namespace

Analysis analyse_only(const CsrView& a, DType dtype, int threads, const Layout& layout) {
    const FormatKey& format = layout.key;
    Analysis analysis = sizes_of(a, dtype, threads);
    analysis.only = format;
    analysis.blocks = {format.format == Format::bcsr ? format.block : kBlockShapes.front()};
    analysis.sigmas = {format.format == Format::sell ? format.sigma : 1};
    analysis.csr.resize(2);
    analysis.bcsr.resize(2);
    analysis.sell.resize(2 * kChunks.size());
    const std::size_t index = format.index_bits == 32 ? 0 : 1;
    FormatSummary summary = summarise(layout, dtype, analysis.threads, 0);
    switch (format.format) {
        case Format::csr:
            analysis.csr[index] = std::move(summary);
            break;
        case Format::bcsr:
            analysis.bcsr[index] = std::move(summary);
            break;
        case Format::sell: {
            const auto chunk = std::find(kChunks.begin(), kChunks.end(), format.chunk) - kChunks.begin();
            analysis.sell[2 * static_cast<std::size_t>(chunk) + index] = std::move(summary);
            break;
        }
    }
    return analysis;
}

std::int64_t share_bytes(const FormatSummary& summary, const ThreadShare& share, DType dtype) {
    constexpr std::int64_t kWord = 4;
    const std::int64_t words =
        share.segments * (1 + (summary.has_bases ? 1 : 0) + (summary.has_groups ? 1 : 0)) +
        (summary.permuted ? share.rows : 0);
    return share.steps * (summary.key.step_values() * static_cast<std::int64_t>(size_of(dtype)) +
                          summary.key.step_indices() * summary.key.index_bits / 8) +
           kWord * words;
}

Analysis analyse(const CsrView& a, DType dtype, int threads) {
    Analysis analysis = sizes_of(a, dtype, threads);
    analysis.x_reuse = reuse_of_x(a, dtype);

    const Touched touched(a);
    const auto add_both = [&](std::vector<FormatSummary>& list, const Layout& wide) {
        const std::int64_t x = touched.elements(wide.key.format == Format::bcsr ? wide.key.block.cols : 1);
        list.push_back(summarise(wide, dtype, analysis.threads, x));
        list.push_back(summarise(make_short_layout(a, wide), dtype, analysis.threads, x));
    };

    add_both(analysis.csr, make_wide_layout(a, {}, {}));

    std::vector<Layout> shapes;
    for (const BlockShape shape : kBlockShapes) {
        shapes.push_back(make_wide_layout(a, {.format = Format::bcsr, .block = shape}, {}));
    }
    const auto blocked = [](const Layout& l) { return l.steps() * l.key.step_values(); };
    std::int64_t least = INT64_MAX;
    for (const Layout& layout : shapes) least = std::min(least, blocked(layout));
    const auto limit =
        std::max(least, static_cast<std::int64_t>(kMostFill * static_cast<double>(a.stored())));
    for (const Layout& layout : shapes) {
        if (blocked(layout) > limit) continue;
        analysis.blocks.push_back(layout.key.block);
        add_both(analysis.bcsr, layout);
    }

    std::vector<std::vector<std::uint32_t>> orders;
    for (const std::int64_t sigma : sort_windows(a.rows)) {
        std::vector<std::uint32_t> order = sorted_rows(a, sigma);
        if (std::find(orders.begin(), orders.end(), order) != orders.end()) continue;
        orders.push_back(std::move(order));
        analysis.sigmas.push_back(sigma);
    }
    for (const int chunk : kChunks) {
        for (std::size_t s = 0; s < orders.size(); ++s) {
            add_both(
                analysis.sell,
                make_wide_layout(a, {.format = Format::sell, .chunk = chunk, .sigma = analysis.sigmas[s]},
                                 orders[s]));
        }
    }
    return analysis;
}

}  // namespace rooftune::spmv
