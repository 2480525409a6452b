#include "models/set_conflicts.h"

#include <algorithm>
#include <vector>

namespace rooftune {

double conflicting_share(std::span<const MemoryRun> runs, const CacheShape& cache) {
    if (cache.ways <= 0) return 0.0;
    const auto line = static_cast<std::int64_t>(cache.line.value);
    const auto sets = static_cast<std::int64_t>(cache.capacity.value) / (line * cache.ways);
    if (sets < 1) return 0.0;
    // Lines in each set, as differences between neighbouring sets.
    std::vector<std::int64_t> change(static_cast<std::size_t>(sets) + 1, 0);
    std::int64_t everywhere = 0;
    std::int64_t lines = 0;
    for (const MemoryRun& run : runs) {
        if (run.bytes <= 0) continue;
        const std::int64_t first = run.begin / line;
        const std::int64_t count = (run.begin + run.bytes - 1) / line - first + 1;
        lines += count;
        everywhere += count / sets;
        const std::int64_t from = first % sets;
        const std::int64_t to = from + count % sets;
        ++change[static_cast<std::size_t>(from)];
        --change[static_cast<std::size_t>(std::min(to, sets))];
        if (to > sets) {
            ++change[0];
            --change[static_cast<std::size_t>(to - sets)];
        }
    }
    if (lines == 0 || lines > sets * cache.ways) return 0.0;
    std::int64_t lost = 0;
    std::int64_t here = everywhere;
    for (std::int64_t s = 0; s < sets; ++s) {
        here += change[static_cast<std::size_t>(s)];
        if (here > cache.ways) lost += here;
    }
    return static_cast<double>(lost) / static_cast<double>(lines);
}

}  // namespace rooftune
