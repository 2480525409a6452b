#include "kernels/runtime/numa.h"

#include <hwloc.h>

#include <memory>

#include "kernels/runtime/error.h"

namespace rooftune {
namespace {

struct NumaTopologyDeleter {
    void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};

}  // namespace

std::vector<int> numa_nodes_of(const std::vector<int>& cpus, const std::string& synthetic) {
    hwloc_topology_t raw = nullptr;
    if (hwloc_topology_init(&raw) != 0)
        throw EnvironmentError("hwloc could not be initialised; out of memory?");
    const std::unique_ptr<hwloc_topology, NumaTopologyDeleter> topology(raw);
    const bool known = synthetic.empty() || hwloc_topology_set_synthetic(raw, synthetic.c_str()) == 0;
    if (!known || hwloc_topology_load(raw) != 0)
        throw EnvironmentError("hwloc could not read the topology" +
                               (synthetic.empty()
                                    ? std::string(" of this machine; see `lstopo` for its reason")
                                    : " '" + synthetic + "'"));
    std::vector<int> nodes(cpus.size(), 0);
    const int count = hwloc_get_nbobjs_by_type(raw, HWLOC_OBJ_NUMANODE);
    for (int n = 0; n < count; ++n) {
        const hwloc_obj_t node = hwloc_get_obj_by_type(raw, HWLOC_OBJ_NUMANODE, static_cast<unsigned>(n));
        if (node == nullptr || node->cpuset == nullptr) continue;
        for (std::size_t i = 0; i < cpus.size(); ++i) {
            if (hwloc_bitmap_isset(node->cpuset, static_cast<unsigned>(cpus[i])) != 0) nodes[i] = n;
        }
    }
    return nodes;
}

}  // namespace rooftune
