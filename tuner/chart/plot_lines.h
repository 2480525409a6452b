// Roofs and ceilings of a roofline plot with their labels, and the line of the roof without overlap.
#pragma once

#include "tuner/chart/roofline_frame.h"

namespace rooftune {

/// Width of the column of labels beside the plot, at most `most` pixels.
double label_column(const RooflinePlot& plot, double most);

/// Draws lines and labels. Labels of flat lines stand beside the plot; those of diagonals along their lines,
/// clear of all other texts and, where they can, of the points. A line whose label finds no room keeps its
/// tooltip.
void draw_lines(SvgCanvas& canvas, const Frame& frame, const RooflinePlot& plot);

/// What is reached when arithmetic and traffic do not overlap at all: half the roof at the ridge. Draws
/// nothing without a basis of each kind; returns whether it drew.
bool draw_serial_roof(SvgCanvas& canvas, const Frame& frame, const RooflinePlot& plot);

/// The lines as segments in pixels, which labels had better not cover.
std::vector<std::pair<PixelPoint, PixelPoint>> line_segments(const Frame& frame, const RooflinePlot& plot);

}  // namespace rooftune
