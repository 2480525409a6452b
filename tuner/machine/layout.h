// The parts of a machine and what they hold: packages, memories, caches, cores, and the processing units in
// them, with those that this process may use and those that a team's threads are pinned to.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

struct hwloc_topology;

namespace rooftune {

/// A processing unit.
struct LayoutUnit {
    int number = 0;       ///< the operating system's
    bool usable = false;  ///< by this process
    int thread = -1;      ///< of the team; −1: none
    int kind = 0;         ///< of its core; all are 0 where the system tells no kinds
};

enum class LayoutType { package, node, cache, core };

struct LayoutPart {
    LayoutType type = LayoutType::core;
    int number = 0;                    ///< the system's; of caches counted from 0 on each level
    int level = 0;                     ///< of caches
    double bytes = 0.0;                ///< of caches and memories; 0: not known
    std::vector<std::size_t> units{};  ///< places in Layout::units
    int kind = 0;                      ///< of cores
};

/// `units` are in the order of the machine's tree, so that those of one part lie side by side; `parts` are
/// packages, memories, caches from the outermost, cores. A virtual machine or a container has what it is
/// shown.
struct Layout {
    std::vector<LayoutUnit> units{};
    std::vector<LayoutPart> parts{};
    int kinds = 1;
    bool ranked = true;  ///< the system says which kind is faster: the last
};

/// What hwloc says of a topology. `usable` and `team` are processing units by the system's numbers; the i-th
/// of `team` has the i-th thread.
Layout layout_of(hwloc_topology* topology, const std::vector<int>& usable, const std::vector<int>& team);

/// Of this machine, with what this process may not use. Throws EnvironmentError where hwloc cannot load it.
Layout read_layout(const std::vector<int>& usable, const std::vector<int>& team);

/// The parts of one type, and of caches of one level, in order.
std::vector<const LayoutPart*> parts_of(const Layout& layout, LayoutType type, int level = 0);

}  // namespace rooftune
