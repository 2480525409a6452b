// The frame of a roofline plot: ranges of its axes, and the ceilings with their labels.
#pragma once

#include "tuner/report/label_layout.h"
#include "tuner/report/log_axis.h"
#include "tuner/report/roofline_plot.h"
#include "tuner/report/svg_canvas.h"

namespace rooftune {

/// Colours and sizes that the parts of the plot share.
namespace plot_style {
inline constexpr double kFont = 11.5;
inline constexpr double kLineHeight = 15.0;
inline constexpr const char* kInk = "#1f2933";
inline constexpr const char* kFaint = "#5b6773";
inline constexpr const char* kGrid = "#e6e9ed";
inline constexpr const char* kRoof = "#3e4c59";
inline constexpr const char* kComputeCeiling = "#8d5a2b";
inline constexpr const char* kBandwidthCeiling = "#35689a";
}  // namespace plot_style

struct Range {
    double low = 0.0, high = 0.0;
};

/// Ranges of intensity (flop/byte) and performance (flop/s). The top is the highest compute ceiling
/// unless a point lies above it; the ridge of every bandwidth ceiling is shown while it is within two
/// decades of the points.
struct PlotRanges {
    Range intensity, performance;
};
PlotRanges plot_ranges(const RooflinePlot& plot);

struct Frame {
    Box area;            ///< of the plot itself
    double right = 0.0;  ///< end of the column of labels beside it
    LogAxis x, y;
};

/// Width of the column of labels beside the plot, at most `most` pixels.
double label_column(const RooflinePlot& plot, double most);

/// Grid, axes, ticks and their titles.
void draw_axes(SvgCanvas& canvas, const Frame& frame);

/// Ceilings and their labels, which avoid each other and, where they can, the points. What the
/// labels cover is added to `taken`. A ceiling whose label finds no room keeps its tooltip.
void draw_ceilings(SvgCanvas& canvas, const Frame& frame, const RooflinePlot& plot, Taken& taken);

}  // namespace rooftune
