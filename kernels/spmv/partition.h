// Who computes what: row groups shared out over threads, and a thread's groups over its streams.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/spmv/kernel.h"
#include "kernels/spmv/layout.h"

namespace rooftune::spmv {

/// Equal groups; equal steps, no group cut; equal steps, long groups cut where a thread's share ends.
enum class Partition { rows, nnz, split };

/// First group of each part and the end of the last, parts + 1 entries, ascending from g0 to g1:
/// the cuts nearest to equal steps. A group is never cut, so a part may be empty. Where there are
/// no steps at all, equal groups.
std::vector<std::int64_t> cut_by_steps(const Layout& layout, std::int64_t g0, std::int64_t g1, int parts);

/// The split over threads, threads + 1 entries: equal groups, or equal steps (padding included,
/// because it costs what other entries cost).
/// Of Partition::split: the groups that begin in a thread's share, whoever computes their ends.
std::vector<std::int64_t> split_groups(const Layout& layout, int threads, Partition partition);

/// Steps begin … end−1 of one group.
struct Steps {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    bool empty() const { return begin == end; }
    bool operator==(const Steps&) const = default;
};

/// What one thread computes: groups g0 … g1−1 whole, before them the end of group g0−1 (head), whose
/// beginning other threads have, and after them the beginning of group g1 (tail). A thread in the middle of a
/// long group has a head alone.
struct ThreadRange {
    std::int64_t g0 = 0;
    std::int64_t g1 = 0;
    Steps head{};
    Steps tail{};
    bool operator==(const ThreadRange&) const = default;
};

/// One for each thread. Partition::split cuts a group where it begins and ends farther from an even cut than
/// a 32nd of a thread's share; all others stay whole, as with Partition::nnz.
std::vector<ThreadRange> ranges_of(const Layout& layout, int threads, Partition partition);

/// Whether any group is cut.
bool cuts_groups(const std::vector<ThreadRange>& ranges);

/// Calls visit(segment, begin, end) for the parts of group g's segments among these steps, in order.
template <typename Visit>
void each_part(const Layout& layout, std::int64_t g, Steps steps, Visit&& visit) {
    for (std::int64_t s = layout.segment_of(g); s < layout.segment_of(g + 1); ++s) {
        const auto at = static_cast<std::size_t>(s);
        const std::int64_t begin = std::max(steps.begin, layout.step_begin[at]);
        const std::int64_t end = std::min(steps.end, layout.step_begin[at + 1]);
        if (begin < end) visit(s, begin, end);
    }
}

/// The walks of one thread that owns groups g0 … g1−1: at most `streams`, none of them empty.
std::vector<Walk> walks_of(const Layout& layout, std::int64_t g0, std::int64_t g1, int streams);

}  // namespace rooftune::spmv
