#include "models/hierarchy.h"

#include <algorithm>

namespace rooftune {
namespace {

// Caches by level, with the bytes of all instances that so many threads use.
std::vector<std::pair<int, double>> capacities(const Topology& topology, int threads) {
    std::vector<std::pair<int, double>> sizes;
    for (const CacheLevel& cache : topology.caches) {
        const double size = cache.probed.value > 0.0 ? cache.probed.value : cache.reported.value;
        const int shared_by = std::max(1, cache.shared_by);
        const int instances = std::max(1, (threads + shared_by - 1) / shared_by);
        if (size > 0.0) sizes.emplace_back(cache.level, size * instances);
    }
    std::sort(sizes.begin(), sizes.end());
    return sizes;
}

// The step of B* in force behind w bytes of cache; below the first measured footprint, the first.
const BandwidthStep& step_at(const std::vector<BandwidthStep>& steps, double w) {
    const auto after = std::upper_bound(steps.begin(), steps.end(), w,
                                        [](double bytes, const BandwidthStep& s) { return bytes < s.from; });
    return after == steps.begin() ? steps.front() : *(after - 1);
}

// A rate that was measured no further out than an earlier step goes on from there.
double rate_at(const std::vector<BandwidthStep>& steps, double w, double BandwidthStep::*rate) {
    const BandwidthStep* step = &step_at(steps, w);
    while (step->*rate <= 0.0 && step != steps.data()) --step;
    return step->*rate;
}

Boundary boundary_at(const std::vector<BandwidthStep>& steps, double beyond) {
    Boundary b;
    b.beyond = Bytes(beyond);
    b.read = BytesPerSecond(rate_at(steps, beyond, &BandwidthStep::read));
    b.write = BytesPerSecond(rate_at(steps, beyond, &BandwidthStep::write));
    b.both = BytesPerSecond(rate_at(steps, beyond, &BandwidthStep::both));
    b.ceiling = step_at(steps, beyond).both_ceiling;
    return b;
}

MemoryLevel level_at(const std::vector<BandwidthStep>& steps, std::string name, double beyond,
                     double capacity) {
    MemoryLevel level;
    static_cast<Boundary&>(level) = boundary_at(steps, beyond);
    level.name = std::move(name);
    level.capacity = Bytes(capacity);
    return level;
}

double time_of(Bytes amount, BytesPerSecond rate) {
    return rate.value > 0.0 ? (amount / rate).value : 0.0;
}

Seconds time_at(const Boundary& b, const TrafficProfile& traffic) {
    return Seconds(std::max({time_of(traffic.reads_beyond(b.beyond), b.read),
                             time_of(traffic.writes_beyond(b.beyond), b.write),
                             time_of(traffic.sum_beyond(b.beyond), b.both)}));
}

}  // namespace

std::vector<MemoryLevel> memory_levels(const Roofs& roofs, int threads) {
    const std::vector<BandwidthStep>& steps = roofs.bandwidth(threads);
    if (steps.empty()) return {};
    const Topology& topology = roofs.machine().topology;
    std::vector<MemoryLevel> levels;
    // B* says nothing of caches smaller than the first footprint that was walked.
    double beyond = steps.front().from;
    if (steps.back().from > steps.front().from) {
        for (const auto& [level, capacity] : capacities(topology, threads)) {
            if (capacity <= beyond) continue;
            levels.push_back(level_at(steps, "L" + std::to_string(level), beyond, capacity));
            beyond = capacity;
        }
    }
    MemoryLevel memory =
        level_at(steps, "memory", std::max(beyond, steps.back().from), topology.memory.value);
    if (!levels.empty() && beyond < memory.beyond.value) {
        memory.nearer.push_back(boundary_at(steps, beyond));
        for (const BandwidthStep& step : steps) {
            if (step.from > beyond && step.from < memory.beyond.value)
                memory.nearer.push_back(boundary_at(steps, step.from));
        }
    }
    levels.push_back(std::move(memory));
    return levels;
}

HierarchyUse use_of(const std::vector<MemoryLevel>& levels, const TrafficProfile& traffic, Operations flops,
                    OperationsPerSecond peak) {
    HierarchyUse all;
    for (const MemoryLevel& level : levels) {
        LevelUse use{.level = level};
        use.seconds = time_at(level, traffic);
        for (const Boundary& nearer : level.nearer) {
            const Seconds there = time_at(nearer, traffic);
            if (there <= use.seconds) continue;
            static_cast<Boundary&>(use.level) = nearer;
            use.seconds = there;
        }
        const Bytes both = traffic.sum_beyond(use.level.beyond);
        use.reads = traffic.reads_beyond(use.level.beyond);
        use.writes = traffic.writes_beyond(use.level.beyond);
        if (both.value > 0.0) use.intensity = flops / both;
        if (use.level.both.value > 0.0) use.ridge = peak / use.level.both;
        if (use.seconds.value > 0.0) use.attainable = flops / use.seconds;
        all.levels.push_back(use);
        const Seconds longest =
            all.binding < 0 ? Seconds(0.0) : all.levels[static_cast<std::size_t>(all.binding)].seconds;
        if (use.seconds > longest) all.binding = static_cast<int>(all.levels.size()) - 1;
    }
    return all;
}

std::optional<double> memory_share(Bytes footprint, Bytes memory) {
    if (memory.value <= 0.0) return std::nullopt;
    return footprint / memory;
}

}  // namespace rooftune
