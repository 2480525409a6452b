// The frame of a roofline plot: ranges of its axes, and the axes themselves.
#pragma once

#include "tuner/chart/label_layout.h"
#include "tuner/chart/log_axis.h"
#include "tuner/chart/roofline_plot.h"
#include "tuner/chart/svg_canvas.h"

namespace rooftune {

struct Range {
    double low = 0.0, high = 0.0;
};

/// Ranges of intensity (flop/byte) and performance (flop/s). They follow from the lines alone, so that plots
/// of one machine lie on each other whatever they show: every ridge with room for what is bound by memory
/// (down to 0.02 flop/byte: elementwise kernels lie at 0.04 and more) and by arithmetic, and a little room
/// above the roof, where only a wrong figure can be. Without any line the points decide.
struct PlotRanges {
    Range intensity, performance;
};
PlotRanges plot_ranges(const RooflinePlot& plot);

struct Frame {
    Box area;            ///< of the plot itself
    double right = 0.0;  ///< end of the column of labels beside it
    LogAxis x, y;

    PixelPoint at(double intensity, double rate) const { return {x.at(intensity), y.at(rate)}; }
};

/// Where a point is drawn: within the axes, or at the edge nearest to it, far enough inside for its marker.
struct Spot {
    PixelPoint at;
    int beyond_x = 0, beyond_y = 0;  ///< −1, 0, 1: which way it lies beyond; y counts upwards
    bool beyond() const { return beyond_x != 0 || beyond_y != 0; }
};
Spot spot_of(const Frame& frame, double intensity, double rate);

/// Grid, axes, ticks and their titles; `unit` is of the vertical axis.
void draw_axes(SvgCanvas& canvas, const Frame& frame, std::string_view unit);

}  // namespace rooftune
