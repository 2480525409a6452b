// Below a roofline plot: the legend, the table of numbered points, and what the plot could not show.
#pragma once

#include "tuner/chart/plot_marks.h"

namespace rooftune {

/// Which extras the plot drew, for the legend.
struct Extras {
    bool serial_roof = false, band = false;
};

/// Draws below `top` and returns where it ended.
double draw_legend(SvgCanvas& canvas, double left, double right, double top, const RooflinePlot& plot,
                   const Extras& extras, const MarksDrawn& drawn);

/// The table of the numbered points, in two columns where it is long.
double draw_table(SvgCanvas& canvas, double left, double right, double top, const RooflinePlot& plot,
                  const MarksDrawn& drawn);

/// What was left out or lies beyond the axes, in sentences; none where nothing was.
std::vector<std::string> remarks(const RooflinePlot& plot, const MarksDrawn& drawn);
double draw_remarks(SvgCanvas& canvas, double left, double right, double top, const RooflinePlot& plot,
                    const MarksDrawn& drawn);

}  // namespace rooftune
