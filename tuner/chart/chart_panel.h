// The panel of a chart: its grid with labels, its edges, the names of its axes, and the heading above it. How
// far texts stand from the panel is said here once, so that all charts look alike.
#pragma once

#include <string>
#include <string_view>

#include "tuner/chart/log_axis.h"
#include "tuner/chart/plot_style.h"
#include "tuner/chart/svg_canvas.h"

namespace rooftune {

/// A drawing with what a test wants to know of it.
struct ChartDrawing {
    std::string svg;               ///< empty where there was nothing to draw
    std::vector<DrawnText> texts;  ///< every text with its box
    Box page;
    std::vector<Box> panels;  ///< in the order in which they were drawn
};

class ChartPanel {
public:
    /// `text_size` is of the labels at its ticks, in pixels.
    ChartPanel(SvgCanvas& canvas, const Box& area, double text_size = plot_style::kSmall);

    const Box& area() const { return area_; }

    /// A line of the grid from side to side at pixel `y`, and its label left of the panel; "" for none.
    void row(double y, std::string_view label, std::string_view style = plot_style::kGridLine) const;
    /// A line from top to bottom at pixel `x`, and its label below the panel; "" for none.
    void column(double x, std::string_view label, std::string_view style = plot_style::kGridLine) const;
    /// The rows and columns of logarithmic axes. Labels carry the unit and stand at least `apart` pixels from
    /// each other; `minor` is the width of the lines without one.
    void rows(const LogAxis& axis, std::string_view unit, double apart, double minor = 1.0) const;
    void columns(const LogAxis& axis, std::string_view unit, double apart, double minor = 1.0) const;

    /// The edges that axes stand on, or a thin frame around the whole.
    void left_edge() const;
    void bottom_edge() const;
    void frame() const;

    /// What an axis shows, `below` the panel in pixels, or upright at pixel `x`.
    void name_x(std::string_view text, double below, double size) const;
    void name_y(std::string_view text, double x, double size) const;

private:
    SvgCanvas* canvas_;
    Box area_;
    TextStyle labels_;
};

/// Where a heading stands: the baselines of the title and of the smaller line under it, where they begin, and
/// the pixels that they may take.
struct HeadingPlace {
    double left, room, title, under;
    double title_size = 17.0, under_size = 12.0;
};

/// Title and line of a chart, cut to their room. An empty line is left out.
void draw_heading(SvgCanvas& canvas, const HeadingPlace& place, std::string_view title,
                  std::string_view under, std::string_view tooltip = {});

}  // namespace rooftune
