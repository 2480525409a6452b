// The roofline plot as a self-contained SVG: log-log axes whose top is the roof, ceilings that are
// flat (compute) and diagonal (bandwidth), every known variant as a point, and the winner's distance
// to its own bound.
#pragma once

#include <string>
#include <vector>

#include "tuner/report/roofline_plot.h"

namespace rooftune {

/// Measured variants are dots, naive and default a square and a triangle, the winner a star with its
/// label; excluded variants are hollow dots at their bound. Each point has a tooltip.
std::string roofline_svg(const RooflinePlot& plot);
std::string roofline_svg(const std::vector<TuneResult>& results);

}  // namespace rooftune
