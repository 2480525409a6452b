// The hierarchical roofline: one boundary a cache level, each with bytes, an intensity and a roof of its own
// (Ilic, Pratas, Sousa 2014; Yang, Williams 2018). Capacities come from the topology, rates from B*(w): what
// crosses the boundary behind caches of w bytes together is at least Q(w), and moves at B*(w) at most. The
// bound needs none of these names; levels are how people read it. Memory capacity is the third limit: work
// that does not fit has no time at all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/roofs.h"
#include "models/traffic.h"

namespace rooftune {

/// What leaves w bytes of cache, and how fast at most.
struct Boundary {
    Bytes beyond{0.0};  ///< w
    /// Highest rates from here outward; 0 where never measured.
    BytesPerSecond read{0.0}, write{0.0}, both{0.0};
    int ceiling = -1;  ///< behind `both`, an index into Machine::ceilings
};

/// One level as the threads of a kernel see it together. Its boundary lies behind all levels nearer to the
/// core; that of memory behind the largest walk, since a walk of little more than the last cache still gets
/// part of its data from there.
struct MemoryLevel : Boundary {
    std::string name;     ///< "L1", "L2", …, "memory"
    Bytes capacity{0.0};  ///< of its own, all instances that the threads use; 0: not known
    /// Of memory: from the last cache outward, `this` not among them. Data that lie between are judged there.
    std::vector<Boundary> nearer{};
};

/// Levels from the nearest to memory. A machine whose caches are not known, or whose rates were not measured
/// over footprints (a preset), has memory only; one without any rate has none.
std::vector<MemoryLevel> memory_levels(const Roofs& roofs, int threads);

/// What a kernel does to one level: at the boundary where that takes longest, of those that it has.
struct LevelUse {
    MemoryLevel level;                    ///< with that boundary
    Bytes reads{0.0}, writes{0.0};        ///< the least that it must deliver and take
    Seconds seconds{0.0};                 ///< at its rates
    Intensity intensity{0.0};             ///< flops over these bytes; 0: nothing crosses
    Intensity ridge{0.0};                 ///< peak over the level's rate; 0 where either is not known
    OperationsPerSecond attainable{0.0};  ///< flops over these seconds; 0: this level limits nothing
};

struct HierarchyUse {
    std::vector<LevelUse> levels;  ///< as in memory_levels
    int binding = -1;              ///< the level that takes longest; -1: none takes any time
};

HierarchyUse use_of(const std::vector<MemoryLevel>& levels, const TrafficProfile& traffic, Operations flops,
                    OperationsPerSecond peak);

/// Bytes that a kernel must hold over those that there are; above 1 it does not fit. nullopt: not known.
std::optional<double> memory_share(Bytes footprint, Bytes memory);

}  // namespace rooftune
