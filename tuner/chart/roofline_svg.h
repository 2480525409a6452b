// The roofline plot as a self-contained SVG: log-log axes fixed by the machine, roofs and ceilings, the
// regions where each kind of optimisation pays, kernels and variants as points, and arrows from before to
// after.
#pragma once

#include <string>
#include <vector>

#include "models/machine.h"
#include "tuner/chart/roofline_plot.h"
#include "tuner/chart/svg_canvas.h"

namespace rooftune {

/// The document with what a test or a message wants to know of it.
struct RooflineDrawing {
    std::string svg;
    std::vector<DrawnText> texts;      ///< every text with its box
    Box page, area;                    ///< the image, and the plot within it
    std::vector<std::string> remarks;  ///< what was left out or lies beyond the axes
};

/// Measured variants are dots, naive and default a square and a triangle, the winner a star; excluded
/// variants are hollow dots at their bound, kernels measured elsewhere discs. Few have their names beside
/// them, many a number and a table below. Each point and line has a tooltip.
RooflineDrawing draw_roofline(const RooflinePlot& plot);

std::string roofline_svg(const RooflinePlot& plot);
/// Results on the ceilings that each kept.
std::string roofline_svg(const std::vector<TuneResult>& results);
/// Results on the lines of the machine that they ran on, as `rooftune plot` draws them.
std::string roofline_svg(const std::vector<TuneResult>& results, const Machine& machine);

}  // namespace rooftune
