// Who computes what: row groups split over threads, and a thread's groups split into streams.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/spmv/kernel.h"
#include "kernels/spmv/layout.h"

namespace rooftune::spmv {

enum class Partition { rows, nnz };

/// First group of each part and the end of the last, parts + 1 entries, ascending from g0 to g1:
/// the cuts nearest to equal steps. A group is never cut, so a part may be empty. Where there are
/// no steps at all, equal groups.
std::vector<std::int64_t> cut_by_steps(const Layout& layout, std::int64_t g0, std::int64_t g1, int parts);

/// The split over threads, threads + 1 entries: equal groups, or equal steps (padding included,
/// because it costs what other entries cost).
std::vector<std::int64_t> split_groups(const Layout& layout, int threads, Partition partition);

/// The walks of one thread that owns groups g0 … g1−1: at most `streams`, none of them empty.
std::vector<Walk> walks_of(const Layout& layout, std::int64_t g0, std::int64_t g1, int streams);

}  // namespace rooftune::spmv
