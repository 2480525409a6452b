#include "kernels/spmv/partition.h"

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
    if (partition == Partition::nnz) return cut_by_steps(layout, 0, layout.groups, threads);
    std::vector<std::int64_t> cuts;
    for (int t = 0; t <= threads; ++t) cuts.push_back(layout.groups * t / threads);
    return cuts;
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
