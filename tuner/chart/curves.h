// Curves of a chart: cut where they leave its panel, as steps, and their names in a column beside it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuner/chart/svg_canvas.h"

namespace rooftune {

/// Data of an SVG path through the points, cut where it leaves the rows of pixels from `top` to `bottom` and
/// broken at points that are not numbers. Empty where nothing lies between.
std::string path_within(const std::vector<PixelPoint>& points, double top, double bottom);

/// The corners of a staircase: each point's height holds until the next one.
std::vector<PixelPoint> steps_through(const std::vector<PixelPoint>& points);

/// The name of a curve: the height in pixels at which the curve ends, and how the name looks.
struct CurveName {
    double end = 0.0;
    std::string text;
    std::string look;      ///< classes of the text
    std::string sample{};  ///< attributes of a piece of the curve before the name; "" for none
};

/// Where names stand, in pixels: from the panel to the end of the leader, along the piece of the curve, from
/// there to the text, and up to the right edge of the page.
struct NameColumn {
    double leader, sample, gap, page_right;
};

/// Names beside the panel in the order in which the curves end, apart from each other, each with a leader.
void draw_curve_names(SvgCanvas& canvas, const Box& area, const NameColumn& column,
                      std::vector<CurveName> names);

}  // namespace rooftune
