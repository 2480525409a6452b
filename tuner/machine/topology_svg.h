// A machine's topology as a drawing: a band for each package, in it a row for each level, in each row a box
// for each part above the processing units that it holds, and below them the threads of a team.
#pragma once

#include <string>

#include "tuner/chart/chart_panel.h"
#include "tuner/machine/topology_text.h"

namespace rooftune {

/// A band is a panel. Labels that have no room in their box are left to the tooltip.
ChartDrawing draw_topology(const TopologyView& view);

std::string topology_svg(const TopologyView& view);

}  // namespace rooftune
