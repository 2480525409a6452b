#include "tuner/report/roofline_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "tuner/report/roofline_frame.h"
#include "tuner/report/si.h"
#include "tuner/report/text_width.h"

namespace rooftune {
namespace {

using namespace plot_style;

enum class Kind { excluded, measured, naive, fallback, winner };

constexpr std::array<Kind, 5> kDrawingOrder{Kind::excluded, Kind::measured, Kind::naive, Kind::fallback,
                                            Kind::winner};

Kind kind_of(const PlotPoint& point) {
    if (point.kind == "winner") return Kind::winner;
    if (point.kind == "naive") return Kind::naive;
    if (point.kind == "default") return Kind::fallback;
    if (point.kind == "excluded") return Kind::excluded;
    return Kind::measured;
}

std::string_view kind_name(Kind kind) {
    switch (kind) {
        case Kind::winner:
            return "winner";
        case Kind::naive:
            return "naive variant";
        case Kind::fallback:
            return "default variant";
        case Kind::excluded:
            return "excluded, at its bound";
        default:
            return "measured";
    }
}

// One problem: a colour for each kind. Several: a colour for each problem; kinds differ by shape.
// From the palette of Okabe and Ito, which colour-blind readers can tell apart.
constexpr std::array<const char*, 6> kSeriesColours{"#0072b2", "#d55e00", "#009e73",
                                                    "#cc79a7", "#b8860b", "#6a4fa3"};

const char* colour_of(Kind kind, std::size_t series, std::size_t all_series) {
    if (all_series > 1) return kSeriesColours[series % kSeriesColours.size()];
    switch (kind) {
        case Kind::winner:
            return "#d55e00";
        case Kind::naive:
            return "#6a4fa3";
        case Kind::fallback:
            return "#009e73";
        case Kind::excluded:
            return "#7b8794";
        default:
            return "#0072b2";
    }
}

void draw_marker(SvgCanvas& canvas, Kind kind, double x, double y, const char* colour,
                 std::string_view tooltip = {}) {
    const std::string solid = fmt::format("fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"1\"", colour);
    switch (kind) {
        case Kind::winner:
            canvas.path(x, y, "M0-9.5 2.6-3.1 9.4-2.6 4.2 1.9 5.8 8.6 0 5-5.8 8.6-4.2 1.9-9.4-2.6-2.6-3.1Z",
                        solid, tooltip);
            break;
        case Kind::naive:
            canvas.path(x, y, "M-5-5H5V5H-5Z", solid, tooltip);
            break;
        case Kind::fallback:
            canvas.path(x, y, "M0-6.5 6 4.5H-6Z", solid, tooltip);
            break;
        case Kind::excluded:
            canvas.circle(
                x, y, 2.8,
                fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"0.9\" stroke-opacity=\"0.7\" "
                            "pointer-events=\"all\"",
                            colour),
                tooltip);
            break;
        case Kind::measured:
            canvas.circle(x, y, 2.8, fmt::format("fill=\"{}\" fill-opacity=\"0.6\"", colour), tooltip);
            break;
    }
}

std::string tooltip_of(const PlotPoint& point, const PlotSeries& series, bool several) {
    return fmt::format("{}{}: {}: {} at {:.3g} flop/byte", several ? series.name + ": " : "",
                       kind_name(kind_of(point)), point.label, format_si(point.flops_per_second, "flop/s"),
                       point.intensity);
}

struct Annotation {
    std::vector<std::string> lines;
    double x, y;
    const char* colour;
    bool needed;  ///< written even where it covers another marker
};

/// Writes the lines near (x, y) where they cover least, with a leader when they had to go far. Never
/// over another label: with no room left, the tooltip has the text.
void annotate(SvgCanvas& canvas, const Frame& frame, Taken& labels, const Taken& markers, const Taken& points,
              const Annotation& note) {
    double width = 0.0;
    for (const std::string& line : note.lines) width = std::max(width, pixel_width(line, kFont));
    const double height = kLineHeight * static_cast<double>(note.lines.size());
    constexpr double kStep = 9.0, kFarthest = 320.0, kClear = 13.0;
    std::optional<Box> best;
    double best_cost = INFINITY;
    for (double top = frame.area.top + 3.0; top + height <= frame.area.top + frame.area.height;
         top += kStep) {
        for (double left = frame.area.left + 5.0; left + width <= frame.area.left + frame.area.width;
             left += kStep) {
            const double dx = note.x - std::clamp(note.x, left, left + width);
            const double dy = note.y - std::clamp(note.y, top, top + height);
            const double distance = std::hypot(dx, dy);
            double cost = 0.03 * distance;
            if (distance < kClear || distance > kFarthest || cost >= best_cost) continue;
            const Box roomy{left - 4.0, top - 2.0, width + 8.0, height + 4.0};
            if (labels.covered_by(roomy) > 0) continue;
            cost += 25.0 * markers.covered_by(roomy) + points.covered_by(roomy);
            if (cost < best_cost) {
                best_cost = cost;
                best = Box{left, top, width, height};
            }
        }
    }
    if (!best || (!note.needed && best_cost >= 25.0)) return;
    labels.add(*best);
    const double near_x = std::clamp(note.x, best->left, best->left + best->width);
    const double near_y = std::clamp(note.y, best->top, best->top + best->height);
    if (std::hypot(near_x - note.x, near_y - note.y) > 18.0) {
        canvas.line(note.x, note.y, near_x, near_y,
                    fmt::format("stroke=\"{}\" stroke-width=\"0.8\"", note.colour));
    }
    // Text left of its marker ends there, so that the estimate of its width opens no gap.
    const bool at_left = best->left + best->width < note.x;
    for (std::size_t i = 0; i < note.lines.size(); ++i) {
        canvas.text(at_left ? best->left + best->width : best->left,
                    best->top + kLineHeight * (static_cast<double>(i) + 0.78), note.lines[i],
                    at_left ? Anchor::end : Anchor::start,
                    fmt::format("font-size=\"{}\" font-weight=\"600\" fill=\"{}\" stroke=\"#ffffff\" "
                                "stroke-width=\"3.5\" stroke-linejoin=\"round\" paint-order=\"stroke\"",
                                kFont, note.colour));
    }
}

/// The winner's way to its own bound: a dashed line up to a bar.
void draw_distance(SvgCanvas& canvas, const Frame& frame, const PlotSeries& series, const PlotPoint& winner,
                   const char* colour) {
    if (!(series.winner_bound > winner.flops_per_second) || !std::isfinite(series.winner_bound)) return;
    const double x = frame.x.at(winner.intensity);
    const double from = frame.y.at(winner.flops_per_second), to = frame.y.at(series.winner_bound);
    const std::string style = fmt::format("stroke=\"{}\" stroke-width=\"1.6\"", colour);
    canvas.line(x, from, x, to, style + " stroke-dasharray=\"3 2\"");
    canvas.line(x - 9.0, to, x + 9.0, to, style,
                fmt::format("the winner's own bound: {}", format_si(series.winner_bound, "flop/s")));
}

/// What is written beside a point; nothing for the many.
std::optional<Annotation> annotation_of(const Frame& frame, const RooflinePlot& plot, std::size_t s,
                                        const PlotPoint& point) {
    const bool several = plot.series.size() > 1;
    const Kind kind = kind_of(point);
    const PlotSeries& series = plot.series[s];
    if (kind == Kind::measured || kind == Kind::excluded || (several && kind != Kind::winner))
        return std::nullopt;
    Annotation note{{},
                    frame.x.at(point.intensity),
                    frame.y.at(point.flops_per_second),
                    colour_of(kind, s, plot.series.size()),
                    kind == Kind::winner};
    const std::string rate = format_si(point.flops_per_second, "flop/s");
    if (kind != Kind::winner) {
        note.lines.push_back(fmt::format("{}: {}", kind == Kind::naive ? "naive" : "default", rate));
        return note;
    }
    const auto add = [&](const std::string& line) {
        note.lines.push_back(cut_to_pixels(printable(line), kFont, 0.55 * frame.area.width));
    };
    if (several) add(series.name);
    add(series.winner_name);
    add(series.fraction_of_variant_bound > 0.0
            ? fmt::format("{}, {} of its own bound", rate, format_percent(series.fraction_of_variant_bound))
            : rate);
    return note;
}

void draw_points(SvgCanvas& canvas, const Frame& frame, const RooflinePlot& plot, Taken& labels) {
    const bool several = plot.series.size() > 1;
    Taken points, markers;
    for (const Kind kind : kDrawingOrder) {
        for (std::size_t s = 0; s < plot.series.size(); ++s) {
            const PlotSeries& series = plot.series[s];
            const char* colour = colour_of(kind, s, plot.series.size());
            for (const PlotPoint& point : series.points) {
                if (kind_of(point) != kind) continue;
                const double x = frame.x.at(point.intensity), y = frame.y.at(point.flops_per_second);
                if (kind == Kind::winner) draw_distance(canvas, frame, series, point, colour);
                draw_marker(canvas, kind, x, y, colour, tooltip_of(point, series, several));
                const bool dot = kind == Kind::measured || kind == Kind::excluded;
                const double radius = dot ? 3.0 : kind == Kind::winner ? 10.0 : 6.0;
                (dot ? points : markers).add({x - radius, y - radius, 2.0 * radius, 2.0 * radius});
            }
        }
    }
    // Winners first: what is left of the room goes to the others.
    for (auto kind = kDrawingOrder.rbegin(); kind != kDrawingOrder.rend(); ++kind) {
        for (std::size_t s = 0; s < plot.series.size(); ++s) {
            for (const PlotPoint& point : plot.series[s].points) {
                if (kind_of(point) != *kind) continue;
                if (const auto note = annotation_of(frame, plot, s, point)) {
                    annotate(canvas, frame, labels, markers, points, *note);
                }
            }
        }
    }
}

struct LegendEntry {
    Kind kind;
    const char* colour;
    std::string text;
};

std::vector<LegendEntry> legend_entries(const RooflinePlot& plot) {
    const bool several = plot.series.size() > 1;
    std::vector<LegendEntry> entries;
    for (std::size_t s = 0; several && s < plot.series.size(); ++s) {
        entries.push_back({Kind::measured, colour_of(Kind::measured, s, plot.series.size()),
                           cut_to_width(printable(plot.series[s].name), 44)});
    }
    for (auto kind = kDrawingOrder.rbegin(); kind != kDrawingOrder.rend(); ++kind) {
        std::uint64_t count = 0;
        for (const PlotSeries& series : plot.series) {
            count += static_cast<std::uint64_t>(
                std::count_if(series.points.begin(), series.points.end(),
                              [&](const PlotPoint& p) { return kind_of(p) == *kind; }));
        }
        if (count == 0) continue;
        std::string text(kind_name(*kind));
        if (count > 1) text += fmt::format(" ({})", format_count(count));
        entries.push_back({*kind, several ? kFaint : colour_of(*kind, 0, 1), text});
    }
    return entries;
}

constexpr double kLegendRow = 20.0;

struct Spot {
    double x;
    int row;
};

/// Entries in rows from left to right.
std::vector<Spot> legend_spots(const std::vector<LegendEntry>& entries, double width) {
    std::vector<Spot> spots;
    double x = 0.0;
    int row = 0;
    for (const LegendEntry& entry : entries) {
        const double needed = 18.0 + pixel_width(entry.text, kFont) + 14.0;
        if (x > 0.0 && x + needed > width) {
            x = 0.0;
            ++row;
        }
        spots.push_back({x, row});
        x += needed;
    }
    return spots;
}

std::string description_of(const RooflinePlot& plot) {
    std::string text = "Performance in flop/s over arithmetic intensity in flop/byte, both logarithmic.";
    for (const PlotSeries& series : plot.series) {
        std::size_t excluded = 0;
        for (const PlotPoint& point : series.points) excluded += kind_of(point) == Kind::excluded ? 1 : 0;
        text += fmt::format(" {}: {} variants measured, {} excluded; winner {}", series.name,
                            series.points.size() - excluded, excluded, series.winner_name);
        if (series.winner_rate > 0.0) text += ", " + format_si(series.winner_rate, "flop/s");
        if (series.fraction_of_variant_bound > 0.0) {
            text += fmt::format(", {} of its own bound", format_percent(series.fraction_of_variant_bound));
        }
        text += ".";
    }
    return text;
}

}  // namespace

std::string roofline_svg(const RooflinePlot& plot) {
    const double width = std::max(420.0, plot.width);
    const double left = 104.0, top = 66.0;
    const double gutter = std::max(24.0, label_column(plot, 0.34 * width));
    const double plot_height = std::clamp(0.46 * width, 240.0, 520.0);
    const Box area{left, top, width - left - gutter, plot_height};
    const std::vector<LegendEntry> entries = legend_entries(plot);
    const std::vector<Spot> spots = legend_spots(entries, width - left - 12.0);
    const int rows = spots.empty() ? 0 : spots.back().row + 1;
    const double legend_top = top + plot_height + 62.0;
    const double height = legend_top + kLegendRow * rows + 4.0;

    const PlotRanges ranges = plot_ranges(plot);
    const Frame frame{
        area, width - 8.0,
        LogAxis(ranges.intensity.low, ranges.intensity.high, area.left, area.left + area.width),
        LogAxis(ranges.performance.low, ranges.performance.high, area.top + area.height, area.top)};

    SvgCanvas canvas(width, height, plot.title, description_of(plot));
    const auto header = [&](double y, const std::string& text, double size, const char* style) {
        canvas.text(left, y, cut_to_pixels(printable(text), size, width - left - 12.0), Anchor::start,
                    fmt::format("font-size=\"{}\" {}", size, style), 0.0, text);
    };
    header(28.0, plot.title, 17.0, "font-weight=\"600\" fill=\"#1f2933\"");
    if (!plot.subtitle.empty()) header(48.0, plot.subtitle, 12.5, "fill=\"#5b6773\"");

    Taken labels;
    draw_axes(canvas, frame);
    canvas.open_group("fill=\"none\"");
    draw_ceilings(canvas, frame, plot, labels);
    canvas.close_group();
    draw_points(canvas, frame, plot, labels);
    if (entries.empty() && plot.ceilings.empty()) {
        canvas.text(area.left + 0.5 * area.width, area.top + 0.5 * area.height, "nothing was measured",
                    Anchor::middle, fmt::format("font-size=\"15\" fill=\"{}\"", kFaint));
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const double x = left + spots[i].x + 6.0, y = legend_top + kLegendRow * spots[i].row;
        draw_marker(canvas, entries[i].kind, x, y, entries[i].colour);
        canvas.text(x + 13.0, y + 0.35 * kFont, entries[i].text, Anchor::start,
                    fmt::format("font-size=\"{}\" fill=\"{}\"", kFont, kInk));
    }
    return std::move(canvas).finish();
}

std::string roofline_svg(const std::vector<TuneResult>& results) {
    return roofline_svg(roofline_plot(results));
}

}  // namespace rooftune
