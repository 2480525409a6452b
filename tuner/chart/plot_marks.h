// Points of a roofline plot: their markers, arrows from before to after, and what is written beside them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuner/chart/roofline_frame.h"

namespace rooftune {

/// A point with a name of its own: a winner, or a kernel measured elsewhere.
struct NamedMark {
    const PlotMark* mark;
    std::size_t series;
    std::size_t rank;     ///< within its series
    int number = 0;       ///< its line of the table; 0 where its name stands beside it, or not at all
    std::string title{};  ///< of its series where there are several, else its own name
};

/// What the parts below the plot have to know.
struct MarksDrawn {
    std::vector<NamedMark> table;  ///< by number; empty where names stand beside the points
    std::size_t unlisted = 0;      ///< named points beyond the table's length
    int beyond = 0;                ///< points at the edge, since they lie beyond the axes
    bool arrows = false;
};

/// Colour of a point: of its series where there are several; of its kind within a tune; of its own where
/// there is one file of few kernels.
std::string_view hue_of(const RooflinePlot& plot, std::size_t series, const PlotMark& mark, std::size_t rank);

/// The word for a kind of points for people, and in `data-kind`: the same as in results.
std::string_view kind_name(MarkKind kind);
std::string_view kind_word(MarkKind kind);

/// How a marker tells what it is of.
struct MarkerLook {
    std::string_view hue;     ///< class of its colour
    std::string_view sign{};  ///< where colours repeat (plot_style::series_sign)
};

/// The look of a point: its colour, and the sign of the series, or of the kernel, that has it.
MarkerLook look_of(const RooflinePlot& plot, std::size_t series, const PlotMark& mark, std::size_t rank);

/// Draws a marker; `share` of the time makes it larger. The points that come in hundreds are too small for a
/// sign.
void draw_marker(SvgCanvas& canvas, MarkKind kind, PixelPoint at, const MarkerLook& look, double share = 0.0,
                 std::string_view tooltip = {});

/// "61 % of 9.84 Gflop/s (memory)"; empty without any roof.
std::string attainable_text(const RooflinePlot& plot, const PlotMark& mark);

/// Draws arrows and points, then names or numbers beside those that have one.
MarksDrawn draw_marks(SvgCanvas& canvas, const Frame& frame, const RooflinePlot& plot);

}  // namespace rooftune
