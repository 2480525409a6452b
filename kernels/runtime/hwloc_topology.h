// This machine, or another one for tests, as hwloc sees it.
#pragma once

#include <hwloc.h>

#include <memory>
#include <string>

namespace rooftune {

struct HwlocTopologyDeleter {
    void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using HwlocTopology = std::unique_ptr<hwloc_topology, HwlocTopologyDeleter>;

/// Which processing units a topology has: those that this process's control group leaves it, or the
/// machine's.
enum class Extent { allowed, machine };

/// `synthetic` (hwloc's notation, "numa:2 core:4 pu:1") describes another machine; empty means this one.
/// Throws EnvironmentError when hwloc cannot load it.
HwlocTopology load_hwloc_topology(const std::string& synthetic = {}, Extent extent = Extent::allowed);

}  // namespace rooftune
