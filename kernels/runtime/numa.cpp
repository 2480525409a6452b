#include "kernels/runtime/numa.h"

#include "kernels/runtime/hwloc_topology.h"

namespace rooftune {

std::vector<int> numa_nodes_of(const std::vector<int>& cpus, const std::string& synthetic) {
    const HwlocTopology topology = load_hwloc_topology(synthetic);
    std::vector<int> nodes(cpus.size(), 0);
    const int count = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_NUMANODE);
    for (int n = 0; n < count; ++n) {
        const hwloc_obj_t node =
            hwloc_get_obj_by_type(topology.get(), HWLOC_OBJ_NUMANODE, static_cast<unsigned>(n));
        if (node == nullptr || node->cpuset == nullptr) continue;
        for (std::size_t i = 0; i < cpus.size(); ++i) {
            if (hwloc_bitmap_isset(node->cpuset, static_cast<unsigned>(cpus[i])) != 0) nodes[i] = n;
        }
    }
    return nodes;
}

}  // namespace rooftune
