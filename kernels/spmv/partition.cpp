#include "kernels/spmv/partition.h"

#include <algorithm>
#include <cmath>

namespace rooftune::spmv {
namespace {

/// Least group in [low, high] whose first step is at or beyond `target`.
std::int64_t lower_group(const Layout& layout, std::int64_t low, std::int64_t high, std::int64_t target) {
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (layout.step_of(middle) < target) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/// First step of each thread's share, threads + 1 entries: even, on the nearest beginning of a group where
/// one is near.
std::vector<std::int64_t> even_steps(const Layout& layout, int threads) {
    // A row cut for nothing costs a sum more and gains less than its length.
    constexpr double kNear = 1.0 / 32.0;
    // Two threads read no line of the values together.
    constexpr std::int64_t kWhole = 16;
    const std::vector<std::int64_t> whole = cut_by_steps(layout, 0, layout.groups, threads);
    const auto steps = static_cast<double>(layout.steps());
    const double share = steps / threads;
    std::vector<std::int64_t> first;
    for (int t = 0; t <= threads; ++t) {
        const auto target = static_cast<std::int64_t>(steps * t / threads);
        const std::int64_t group = layout.step_of(whole[static_cast<std::size_t>(t)]);
        const bool near = std::abs(static_cast<double>(group - target)) <= kNear * share;
        const std::int64_t at = near ? group : target / kWhole * kWhole;
        first.push_back(first.empty() ? 0 : std::max(first.back(), at));
    }
    return first;
}

}  // namespace

std::vector<std::int64_t> cut_by_steps(const Layout& layout, std::int64_t g0, std::int64_t g1, int parts) {
    std::vector<std::int64_t> cuts(static_cast<std::size_t>(parts) + 1, g0);
    cuts.back() = g1;
    const std::int64_t first = layout.step_of(g0);
    const std::int64_t steps = layout.step_of(g1) - first;
    for (int t = 1; t < parts; ++t) {
        const auto at = static_cast<std::size_t>(t);
        if (steps == 0) {
            cuts[at] = g0 + (g1 - g0) * t / parts;
            continue;
        }
        // In doubles: the product could overflow, and any cut near the target is as good.
        const std::int64_t target = first + static_cast<std::int64_t>(static_cast<double>(steps) * t / parts);
        std::int64_t cut = lower_group(layout, cuts[at - 1], g1, target);
        if (cut > cuts[at - 1] && target - layout.step_of(cut - 1) < layout.step_of(cut) - target) --cut;
        cuts[at] = cut;
    }
    return cuts;
}

std::vector<std::int64_t> split_groups(const Layout& layout, int threads, Partition partition) {
    if (partition == Partition::nnz || (partition == Partition::split && layout.steps() == 0))
        return cut_by_steps(layout, 0, layout.groups, threads);
    std::vector<std::int64_t> cuts;
    if (partition == Partition::split) {
        const std::vector<std::int64_t> first = even_steps(layout, threads);
        for (const std::int64_t step : first) cuts.push_back(lower_group(layout, 0, layout.groups, step));
        cuts.front() = 0;
        cuts.back() = layout.groups;
        return cuts;
    }
    for (int t = 0; t <= threads; ++t) cuts.push_back(layout.groups * t / threads);
    return cuts;
}

std::vector<ThreadRange> ranges_of(const Layout& layout, int threads, Partition partition) {
    const std::vector<std::int64_t> cuts = split_groups(layout, threads, partition);
    std::vector<ThreadRange> ranges;
    for (std::size_t t = 0; t + 1 < cuts.size(); ++t) ranges.push_back({cuts[t], cuts[t + 1]});
    if (partition != Partition::split || layout.steps() == 0) return ranges;
    const std::vector<std::int64_t> first = even_steps(layout, threads);
    for (std::size_t t = 0; t < ranges.size(); ++t) {
        ThreadRange& range = ranges[t];
        const std::int64_t begin = first[t], end = first[t + 1];
        const std::int64_t whole = layout.step_of(range.g0);
        if (begin < whole && begin < end) range.head = {begin, std::min(whole, end)};
        if (range.g0 < range.g1 && layout.step_of(range.g1) > end) {
            --range.g1;
            range.tail = {layout.step_of(range.g1), end};
        }
    }
    return ranges;
}

bool cuts_groups(const std::vector<ThreadRange>& ranges) {
    return std::any_of(ranges.begin(), ranges.end(), [](const ThreadRange& r) { return !r.head.empty(); });
}

std::vector<Walk> walks_of(const Layout& layout, std::int64_t g0, std::int64_t g1, int streams) {
    std::vector<Walk> walks;
    const std::vector<std::int64_t> cuts = cut_by_steps(layout, g0, g1, streams);
    for (std::size_t s = 0; s + 1 < cuts.size(); ++s) {
        if (cuts[s] == cuts[s + 1]) continue;
        walks.push_back({static_cast<std::uint64_t>(layout.step_of(cuts[s])),
                         static_cast<std::uint32_t>(layout.segment_of(cuts[s])),
                         static_cast<std::uint32_t>(layout.segment_of(cuts[s + 1]))});
    }
    return walks;
}

}  // namespace rooftune::spmv
