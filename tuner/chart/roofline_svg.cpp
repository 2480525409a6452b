#include "tuner/chart/roofline_svg.h"

#include <fmt/format.h>

#include <algorithm>

#include "tuner/base/si.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/plot_ceilings.h"
#include "tuner/chart/plot_lines.h"
#include "tuner/chart/plot_marks.h"
#include "tuner/chart/plot_parts.h"
#include "tuner/chart/plot_regions.h"
#include "tuner/chart/plot_style.h"
#include "tuner/chart/plot_table.h"

namespace rooftune {
namespace {

using namespace plot_style;

/// "op/s" where every roof counts integers.
std::string unit_of_axis(const RooflinePlot& plot) {
    const bool integers = basis_of(plot.lines, false) &&
                          std::all_of(plot.lines.begin(), plot.lines.end(), [](const PlotLine& line) {
                              return line.bandwidth || line.unit == "op/s";
                          });
    return integers ? "op/s" : "flop/s";
}

/// The plot in sentences.
std::string description_of(const RooflinePlot& plot, const std::string& unit) {
    std::string text =
        fmt::format("Performance in {} over arithmetic intensity in {}/byte, both logarithmic.", unit,
                    unit.substr(0, unit.find('/')));
    std::string roofs;
    for (const PlotLine& line : plot.lines) {
        if (line.roof) roofs += (roofs.empty() ? " Roofs: " : "; ") + line_name(line);
    }
    text += roofs.empty() ? "" : roofs + ".";
    constexpr std::size_t kMost = 40;
    std::size_t told = 0, all = 0;
    for (const PlotSeries& series : plot.series) {
        std::size_t measured = 0, excluded = 0;
        for (const PlotMark& mark : series.marks) {
            (mark.kind == MarkKind::excluded ? excluded : measured) += mark.kind == MarkKind::kernel ? 0 : 1;
            const bool kernel = mark.kind == MarkKind::kernel;
            if (!kernel && mark.kind != MarkKind::winner) continue;
            if (++all > kMost) continue;
            ++told;
            text += fmt::format(" {}{}: {} at {:.3g} flop/byte", kernel ? "" : series.name + ", winner ",
                                mark.name, format_si(mark.rate, "flop/s"), mark.intensity);
            if (mark.bound > 0.0) {
                text += fmt::format(", {} of its own bound", format_percent(mark.rate / mark.bound));
            } else if (const std::string share = attainable_text(plot, mark); !share.empty()) {
                text += ", " + share;
            }
            text += ".";
        }
        if (measured + excluded > 0)
            text += fmt::format(" {}: {} variants measured, {} excluded.", series.name, measured, excluded);
    }
    if (all > told) text += fmt::format(" {} more points.", all - told);
    for (const PlotArrow& arrow : plot.arrows) {
        if (&arrow - plot.arrows.data() >= static_cast<std::ptrdiff_t>(kMost)) break;
        text +=
            fmt::format(" From {} to {}: {}.", arrow.from.name, arrow.to.name, format_ratio(arrow.ratio()));
    }
    return text;
}

}  // namespace

RooflineDrawing draw_roofline(const RooflinePlot& plot) {
    const double width = std::max(480.0, plot.width);
    const double left = 104.0, top = plot.subtitle.empty() ? 48.0 : 66.0, margin = 12.0;
    // A phone is held upright: there the plot is as high as it is wide, and roofs are labelled by their
    // rates.
    const bool narrow = width < 600.0;
    const double gutter = std::max(26.0, label_column(plot, (narrow ? 0.25 : 0.3) * width));
    const double plot_height = std::clamp((narrow ? 0.85 : 0.5) * width, 260.0, 540.0);
    const Box area{left, top, width - left - gutter, plot_height};
    const PlotRanges ranges = plot_ranges(plot);
    const Frame frame{area, width - margin,
                      LogAxis(ranges.intensity.low, ranges.intensity.high, area.left, area.right()),
                      LogAxis(ranges.performance.low, ranges.performance.high, area.bottom(), area.top)};

    SvgCanvas canvas;
    const auto header = [&](double y, const std::string& text, const TextStyle& style) {
        canvas.text(left, y, cut_to_pixels(printable(text), style.size * 1.07, width - left - margin),
                    Anchor::start, style, 0.0, text);
    };
    header(28.0, plot.title, {17.0, "ink", true});
    header(48.0, plot.subtitle, {13.0, "faint"});

    const std::string unit = unit_of_axis(plot);
    draw_regions(canvas, frame, plot);
    draw_axes(canvas, frame, unit);
    Extras extras;
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        const PlotPart part(canvas, plot, s, type_of(plot.series[s]));
        extras.band = draw_band(canvas, frame, plot, plot.series[s], series_hue(s)) || extras.band;
    }
    extras.serial_roof = draw_serial_roof(canvas, frame, plot);
    draw_lines(canvas, frame, plot);
    const MarksDrawn drawn = draw_marks(canvas, frame, plot);
    const bool empty =
        plot.lines.empty() && std::all_of(plot.series.begin(), plot.series.end(),
                                          [](const PlotSeries& series) { return series.marks.empty(); });
    if (empty) {
        canvas.text(area.left + 0.5 * area.width, area.top + 0.5 * area.height, "nothing was measured",
                    Anchor::middle, {15.0, "faint"});
    }

    const double right = width - margin;
    double y = area.bottom() + 66.0;
    y = draw_legend(canvas, left, right, y, plot, extras, drawn) + 30.0;
    y = draw_table(canvas, margin, right, y, plot, drawn);  // names need the room
    if (!drawn.table.empty()) y += 22.0;
    y = draw_remarks(canvas, left, right, y, plot, drawn);
    const double height = y - 8.0;
    const std::string words = description_of(plot, unit);
    return {plot.hooks ? canvas.embedded(width, height, plot.title, words, plot.hooks->id)
                       : canvas.finish(width, height, plot.title, words, css()),
            canvas.texts(), Box{0.0, 0.0, width, height}, area, remarks(plot, drawn)};
}

std::string roofline_svg(const RooflinePlot& plot) {
    return draw_roofline(plot).svg;
}

std::string roofline_svg(const std::vector<TuneResult>& results) {
    return roofline_svg(roofline_plot(results));
}

std::string roofline_svg(const std::vector<TuneResult>& results, const Machine& machine) {
    RooflinePlot plot = roofline_plot(results);
    draw_machine(plot, view_of(machine, results), {});
    return roofline_svg(plot);
}

}  // namespace rooftune
