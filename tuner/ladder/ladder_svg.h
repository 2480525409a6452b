// A ladder as a drawing: one bar a step on a logarithmic axis of performance, what the step added in full
// colour, up to the line of what is attainable. Dark on light and outlines: it is read in greyscale as well.
#pragma once

#include <string>
#include <vector>

#include "tuner/chart/chart_panel.h"
#include "tuner/ladder/result.h"

namespace rooftune {

/// An element for a page, whose `id` is unique there; `width` in pixels, at least 420. Names stand beside the
/// bars where there is room, else above them. Empty where nothing gives a time.
ChartDrawing draw_ladder(const ladder::Result& result, double width, const std::string& id);

/// A file of its own.
std::string ladder_svg(const ladder::Result& result);

}  // namespace rooftune
