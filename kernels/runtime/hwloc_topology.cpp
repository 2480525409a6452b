#include "kernels/runtime/hwloc_topology.h"

#include "kernels/runtime/error.h"

namespace rooftune {

HwlocTopology load_hwloc_topology(const std::string& synthetic, Extent extent) {
    hwloc_topology_t raw = nullptr;
    if (hwloc_topology_init(&raw) != 0)
        throw EnvironmentError("hwloc could not be initialised; out of memory?");
    HwlocTopology topology(raw);
    if (!synthetic.empty() && hwloc_topology_set_synthetic(raw, synthetic.c_str()) != 0) {
        throw EnvironmentError("'" + synthetic +
                               "' is not a synthetic topology; write it as hwloc does, for instance "
                               "\"numa:2 core:4 pu:1\"");
    }
    if (extent == Extent::machine) hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (hwloc_topology_load(raw) != 0) {
        throw EnvironmentError(
            "hwloc could not read the topology of this machine; see `lstopo` for its reason");
    }
    return topology;
}

}  // namespace rooftune
