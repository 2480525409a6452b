// Parts of a drawing that a page can find: groups with attributes, written only where the plot has hooks.
#pragma once

#include <string>
#include <string_view>

#include "tuner/chart/roofline_plot.h"
#include "tuner/chart/svg_canvas.h"

namespace rooftune {

/// What is drawn while this lives belongs to a series and an element type.
class PlotPart {
public:
    PlotPart(SvgCanvas& canvas, const RooflinePlot& plot, std::size_t series, std::string_view type);
    /// The same of what belongs to points of a kind.
    PlotPart(SvgCanvas& canvas, const RooflinePlot& plot, std::size_t series, std::string_view type,
             MarkKind kind);
    /// A point, with what is known of it.
    PlotPart(SvgCanvas& canvas, const RooflinePlot& plot, std::size_t series, const PlotMark& mark);
    /// Lines of these element types, separated by blanks; of none: drawn outside any group.
    PlotPart(SvgCanvas& canvas, const RooflinePlot& plot, std::string_view types);
    ~PlotPart();
    PlotPart(const PlotPart&) = delete;
    PlotPart& operator=(const PlotPart&) = delete;

private:
    SvgCanvas* canvas_ = nullptr;  ///< null: no group was opened
};

/// The element type of a series' points; empty where it has none, or several.
std::string type_of(const PlotSeries& series);

}  // namespace rooftune
