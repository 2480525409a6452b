// Conflicts: which sets of a cache the pieces of memory that are wanted at once fall into. With a pitch that
// is a power of two many rows begin in the same few sets, and what a set has no way for is driven out long
// before the cache is full. The cure is a pitch that is a line longer: padding.
#pragma once

#include <cstdint>
#include <span>

#include "models/traffic_parts.h"

namespace rooftune {

/// Bytes that lie side by side.
struct MemoryRun {
    std::int64_t begin = 0;
    std::int64_t bytes = 0;
};

/// Share of the lines of these runs (0 … 1) that lie in sets which more of the lines fall into than there are
/// ways. Walked in turn under least-recently-used replacement, such a set keeps none of them. 0 for a fully
/// associative cache, and where the lines are more than the cache holds anyway (that is capacity, not
/// conflict). The address decides the set, as in first-level caches; larger ones often hash it, and suffer
/// less.
double conflicting_share(std::span<const MemoryRun> runs, const CacheShape& cache);

}  // namespace rooftune
