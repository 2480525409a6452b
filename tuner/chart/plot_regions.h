// The areas of a roofline plot: which optimisations pay where, and where the intensity of a kernel may lie.
#pragma once

#include "tuner/chart/roofline_frame.h"

namespace rooftune {

/// Intensities that part the regions under the basis roofs. Left of `memory_only` even the lowest compute
/// ceiling lies above the memory roof; right of `compute_only` even the lowest memory ceiling reaches the
/// compute roof; between them both kinds of ceilings limit.
struct Regions {
    double memory_only = 0.0, compute_only = 0.0;
};
/// Both are 0 without a basis of each kind.
Regions regions_under(const std::vector<PlotLine>& lines);

/// Shades and names the three regions.
void draw_regions(SvgCanvas& canvas, const Frame& frame, const RooflinePlot& plot);

/// Shades a series' band from the axis to the roof; nothing where it is absent or beyond the axes. Returns
/// whether it drew.
bool draw_band(SvgCanvas& canvas, const Frame& frame, const RooflinePlot& plot, const PlotSeries& series,
               std::string_view hue);

}  // namespace rooftune
