// Which NUMA node a processing unit belongs to.
#pragma once

#include <string>
#include <vector>

namespace rooftune {

/// NUMA node of each processing unit given by its operating-system index, counted from 0; 0 for one that no
/// node claims. `synthetic` (hwloc's notation, "numa:2 core:4 pu:1") describes another machine, for tests;
/// empty means this one. Throws EnvironmentError when hwloc cannot load it.
std::vector<int> numa_nodes_of(const std::vector<int>& cpus, const std::string& synthetic = {});

}  // namespace rooftune
