#include "tuner/machine/layout.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "kernels/runtime/error.h"
#include "kernels/runtime/hwloc_topology.h"

namespace rooftune {
namespace {

// Memories are no level of the tree, so hwloc counts them apart.
constexpr std::array kCaches{HWLOC_OBJ_L5CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE,
                             HWLOC_OBJ_L1CACHE};

std::vector<hwloc_obj_t> objects(hwloc_topology_t topology, hwloc_obj_type_t type) {
    std::vector<hwloc_obj_t> all;
    const int count = hwloc_get_nbobjs_by_type(topology, type);  // negative: on several levels, of which none
    for (int i = 0; i < count; ++i)
        all.push_back(hwloc_get_obj_by_type(topology, type, static_cast<unsigned>(i)));
    return all;
}

std::vector<std::size_t> units_of(const Layout& layout, hwloc_obj_t object) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < layout.units.size(); ++i) {
        if (hwloc_bitmap_isset(object->cpuset, static_cast<unsigned>(layout.units[i].number)) != 0)
            places.push_back(i);
    }
    return places;
}

LayoutPart part_of(const Layout& layout, hwloc_obj_t object, LayoutType type, int number) {
    LayoutPart part;
    part.type = type;
    part.number = number;
    part.units = units_of(layout, object);
    if (type == LayoutType::node) part.bytes = static_cast<double>(object->attr->numanode.local_memory);
    if (type == LayoutType::cache) {
        part.level = static_cast<int>(object->attr->cache.depth);
        part.bytes = static_cast<double>(object->attr->cache.size);
    }
    if (type == LayoutType::core && !part.units.empty()) part.kind = layout.units[part.units.front()].kind;
    return part;
}

void add_parts(Layout& layout, hwloc_topology_t topology, hwloc_obj_type_t wanted, LayoutType type) {
    int counted = 0;
    for (const hwloc_obj_t object : objects(topology, wanted)) {
        // The system counts cores anew in each package.
        const bool counts =
            type == LayoutType::cache || type == LayoutType::core || object->os_index == HWLOC_UNKNOWN_INDEX;
        const int number = counts ? counted : static_cast<int>(object->os_index);
        ++counted;
        LayoutPart part = part_of(layout, object, type, number);
        // Memory without processors of its own (a device's, say) is none that a thread is near to.
        if (!part.units.empty()) layout.parts.push_back(std::move(part));
    }
}

}  // namespace

Layout layout_of(hwloc_topology_t topology, const std::vector<int>& usable, const std::vector<int>& team) {
    Layout layout;
    for (const hwloc_obj_t object : objects(topology, HWLOC_OBJ_PU)) {
        LayoutUnit unit;
        unit.number = static_cast<int>(object->os_index);
        unit.usable = std::find(usable.begin(), usable.end(), unit.number) != usable.end();
        const auto thread = std::find(team.begin(), team.end(), unit.number);
        if (thread != team.end()) unit.thread = static_cast<int>(std::distance(team.begin(), thread));
        // Negative where hwloc knows no kinds: all are one then.
        unit.kind = std::max(0, hwloc_cpukinds_get_by_cpuset(topology, object->cpuset, 0));
        layout.kinds = std::max(layout.kinds, unit.kind + 1);
        int efficiency = -1;
        const bool told = hwloc_cpukinds_get_info(topology, static_cast<unsigned>(unit.kind), nullptr,
                                                  &efficiency, nullptr, nullptr, 0) == 0;
        layout.ranked = layout.ranked && told && efficiency >= 0;
        layout.units.push_back(unit);
    }
    add_parts(layout, topology, HWLOC_OBJ_PACKAGE, LayoutType::package);
    add_parts(layout, topology, HWLOC_OBJ_NUMANODE, LayoutType::node);
    for (const hwloc_obj_type_t cache : kCaches) add_parts(layout, topology, cache, LayoutType::cache);
    add_parts(layout, topology, HWLOC_OBJ_CORE, LayoutType::core);
    return layout;
}

Layout read_layout(const std::vector<int>& usable, const std::vector<int>& team) {
    hwloc_topology_t raw = nullptr;
    if (hwloc_topology_init(&raw) != 0)
        throw EnvironmentError("hwloc could not be initialised; out of memory?");
    const HwlocTopology topology(raw);
    // A container is shown what it may not use as well, where the system tells it of that.
    hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (hwloc_topology_load(raw) != 0)
        throw EnvironmentError(
            "hwloc could not read the topology of this machine; see `lstopo` for its reason");
    return layout_of(raw, usable, team);
}

std::vector<const LayoutPart*> parts_of(const Layout& layout, LayoutType type, int level) {
    std::vector<const LayoutPart*> parts;
    for (const LayoutPart& part : layout.parts) {
        if (part.type == type && part.level == level) parts.push_back(&part);
    }
    return parts;
}

}  // namespace rooftune
