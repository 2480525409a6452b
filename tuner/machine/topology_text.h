// A machine's topology for people and programs: its parts, and where the threads of a team sit.
#pragma once

#include <string>
#include <vector>

#include "tuner/formats/strict_json.h"
#include "tuner/machine/layout.h"

namespace rooftune {

struct TopologyView {
    Layout layout;
    std::string cpu;         ///< model, as the system says
    std::string hypervisor;  ///< its signature; empty on bare metal
};

/// "package 0", "NUMA node 1", "L3 cache 2", "core 5".
std::string part_name(const LayoutPart& part);

/// What to keep in mind of what is shown, a sentence or two each: that a hypervisor shows it, that processing
/// units are withheld from this process, that cores differ in kind, that caches or packages are not told.
std::vector<std::string> topology_remarks(const TopologyView& view);

/// Counts, remarks, a table of the parts and one of the threads; ends with a newline.
std::string topology_text(const TopologyView& view);

/// Fits configs/schema/topology.schema.json.
Json topology_json(const TopologyView& view);

}  // namespace rooftune
