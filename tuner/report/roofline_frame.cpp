#include "tuner/report/roofline_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "tuner/report/si.h"
#include "tuner/report/text_width.h"

namespace rooftune {
namespace {

using namespace plot_style;

constexpr double kMostDecades = 15.0;
constexpr double kLeader = 16.0;  // from the plot to the labels beside it

/// The first of a kind is the highest: ceilings are sorted by rate.
const PlotCeiling* roof_of(const RooflinePlot& plot, bool bandwidth) {
    for (const PlotCeiling& ceiling : plot.ceilings) {
        if (ceiling.bandwidth == bandwidth) return &ceiling;
    }
    return nullptr;
}

Range widened(Range range, double least_decades) {
    const double missing = least_decades - std::log10(range.high / range.low);
    if (missing > 0.0) {
        range.low *= std::pow(10.0, -missing / 2.0);
        range.high *= std::pow(10.0, missing / 2.0);
    }
    if (std::log10(range.high / range.low) > kMostDecades)
        range.low = range.high * std::pow(10.0, -kMostDecades);
    return range;
}

/// "40.0 GB/s, load, 64 MiB, 2 threads": the rate first, because it must stay when a name is cut.
std::string ceiling_name(const PlotCeiling& ceiling) {
    std::string_view name = ceiling.label;
    const std::string_view resource = ceiling.bandwidth ? "bandwidth " : "compute ";
    if (name.starts_with(resource)) name.remove_prefix(resource.size());  // the line's slope says it
    const std::string rate = format_si(ceiling.rate, ceiling.bandwidth ? "B/s" : "flop/s");
    return name.empty() ? rate : rate + ", " + printable(name);
}

std::string label_style(const char* colour) {
    return fmt::format(
        "font-size=\"{}\" fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"3\" stroke-linejoin=\"round\" "
        "paint-order=\"stroke\"",
        kFont, colour);
}

void draw_flat(SvgCanvas& canvas, const Frame& frame, const RooflinePlot& plot) {
    const PlotCeiling* bandwidth_roof = roof_of(plot, true);
    const PlotCeiling* top = roof_of(plot, false);
    const double right = frame.area.left + frame.area.width;
    std::vector<const PlotCeiling*> labelled;
    for (const PlotCeiling& ceiling : plot.ceilings) {
        if (ceiling.bandwidth || ceiling.rate < frame.y.low()) continue;
        // Left of the highest diagonal nothing can reach this rate.
        const double from =
            bandwidth_roof ? frame.x.at(ceiling.rate / bandwidth_roof->rate) : frame.area.left;
        const double y = frame.y.at(ceiling.rate);
        canvas.line(from, y, right, y,
                    &ceiling == top ? fmt::format("stroke=\"{}\" stroke-width=\"2.4\"", kRoof)
                                    : fmt::format("stroke=\"{}\" stroke-width=\"1.2\"", kComputeCeiling),
                    ceiling_name(ceiling));
        labelled.push_back(&ceiling);
    }
    // A column beside the plot holds so many labels; the roof is first and always among them.
    const auto most = static_cast<std::size_t>(std::max(1.0, std::floor(frame.area.height / kLineHeight)));
    if (labelled.size() > most) labelled.resize(most);
    std::vector<double> wanted;
    for (const PlotCeiling* ceiling : labelled) wanted.push_back(frame.y.at(ceiling->rate));
    const std::vector<double> placed =
        spread(wanted, kLineHeight, frame.area.top, frame.area.top + frame.area.height);
    const double text_left = right + kLeader;
    for (std::size_t i = 0; i < labelled.size(); ++i) {
        canvas.line(right, wanted[i], text_left - 3.0, placed[i],
                    fmt::format("stroke=\"{}\" stroke-width=\"0.7\"", kFaint));
        const std::string full = ceiling_name(*labelled[i]);
        canvas.text(text_left, placed[i] + 0.35 * kFont, cut_to_pixels(full, kFont, frame.right - text_left),
                    Anchor::start, label_style(labelled[i] == top ? kRoof : kComputeCeiling), 0.0, full);
    }
}

/// Geometry of the diagonals, which are parallel: u runs along them, v across them (upwards).
struct Slope {
    double cosine, sine, degrees;

    explicit Slope(const Frame& frame) {
        const double angle = std::atan2(frame.y.pixels_per_decade(), frame.x.pixels_per_decade());
        cosine = std::cos(angle);
        sine = std::sin(angle);
        degrees = angle * 180.0 / std::numbers::pi;
    }
    double u(double x, double y) const { return x * cosine - y * sine; }
    double v(double x, double y) const { return -x * sine - y * cosine; }
    double x(double along, double across) const { return along * cosine - across * sine; }
    double y(double along, double across) const { return -along * sine - across * cosine; }
};

struct Diagonal {
    const PlotCeiling* ceiling;
    double u1, u2, v;  ///< visible part, in the slope's frame
};

/// The part of y = rate·x within the frame; nothing when it misses it.
std::optional<Diagonal> visible(const Frame& frame, const Slope& slope, const PlotCeiling& ceiling,
                                double roof) {
    const double x1 = std::max(frame.x.low(), frame.y.low() / ceiling.rate);
    const double x2 = std::min(frame.x.high(), roof / ceiling.rate);
    if (!(x1 < x2)) return std::nullopt;
    const double left = frame.x.at(x1), bottom = frame.y.at(ceiling.rate * x1);
    const double right = frame.x.at(x2), top = frame.y.at(ceiling.rate * x2);
    return Diagonal{&ceiling, slope.u(left, bottom), slope.u(right, top), slope.v(left, bottom)};
}

/// A point that labels should not cover, in the slope's frame.
struct Obstacle {
    double u, v, radius, weight;
};

struct Placement {
    Box box;  ///< in (u, v)
    double baseline;
    double cost;
};

/// Where a label of this width costs least along its line. It never meets another label or another
/// diagonal, and points and flat ceilings only where it must.
std::optional<Placement> place(const Diagonal& line, double width, const std::vector<Diagonal>& lines,
                               const std::vector<Box>& labels, const std::vector<Obstacle>& points) {
    constexpr double kStep = 12.0, kAway = 4.0, kHeight = 13.0, kEnd = 20.0;
    std::optional<Placement> best;
    for (const bool above : {true, false}) {
        const double low = above ? line.v + kAway - 1.0 : line.v - kAway - kHeight + 1.0;
        for (double u = line.u1 + kEnd; u + width + kEnd <= line.u2; u += kStep) {
            const Box box{u, low, width, kHeight};
            const auto meets_label = [&](const Box& other) { return other.overlaps(box); };
            const auto meets_line = [&](const Diagonal& other) {
                return &other != &line && other.v > low - 1.0 && other.v < low + kHeight - 2.0 &&
                       other.u1 < u + width && other.u2 > u;
            };
            if (std::any_of(labels.begin(), labels.end(), meets_label)) continue;
            if (std::any_of(lines.begin(), lines.end(), meets_line)) continue;
            double cost = (above ? 0.0 : 0.5) + 0.002 * (u - line.u1);
            for (const Obstacle& point : points) {
                const Box roomy{u - point.radius - 6.0, low - point.radius - 3.0,
                                width + 2.0 * point.radius + 12.0, kHeight + 2.0 * point.radius + 6.0};
                cost += roomy.holds(point.u, point.v) ? point.weight : 0.0;
            }
            if (!best || cost < best->cost) best = Placement{box, above ? low + 3.0 : low + 3.5, cost};
        }
    }
    return best;
}

/// The roof first, then the lowest, which is most often the one that binds; then from the top.
std::vector<const Diagonal*> by_importance(const std::vector<Diagonal>& lines) {
    std::vector<const Diagonal*> order;
    for (const Diagonal& line : lines) order.push_back(&line);
    if (order.size() > 2) std::rotate(order.begin() + 1, order.end() - 1, order.end());
    return order;
}

void draw_diagonal(SvgCanvas& canvas, const Frame& frame, const RooflinePlot& plot, Taken& taken) {
    const Slope slope(frame);
    const PlotCeiling* compute_roof = roof_of(plot, false);
    const PlotCeiling* top = roof_of(plot, true);
    const double roof = compute_roof ? std::min(compute_roof->rate, frame.y.high()) : frame.y.high();
    std::vector<Diagonal> lines;
    for (const PlotCeiling& ceiling : plot.ceilings) {
        if (!ceiling.bandwidth) continue;
        if (const auto line = visible(frame, slope, ceiling, roof)) lines.push_back(*line);
    }
    std::vector<Obstacle> points;
    for (const PlotSeries& series : plot.series) {
        for (const PlotPoint& point : series.points) {
            const double x = frame.x.at(point.intensity), y = frame.y.at(point.flops_per_second);
            const bool dot = point.kind == "measured" || point.kind == "excluded";
            points.push_back({slope.u(x, y), slope.v(x, y), dot ? 3.0 : 12.0, dot ? 1.0 : 10.0});
        }
    }
    std::vector<Box> labels;
    for (const Diagonal* line : by_importance(lines)) {
        const bool is_top = line->ceiling == top;
        const std::string full = ceiling_name(*line->ceiling);
        const std::string text = cut_to_pixels(full, kFont, line->u2 - line->u1 - 44.0);
        constexpr int kLeastColumns = 8;  // less says nothing
        std::optional<Placement> placement;
        if (display_width(text) >= std::min(kLeastColumns, display_width(full))) {
            placement = place(*line, pixel_width(text, kFont), lines, labels, points);
        }
        constexpr double kTooMuch = 12.0;  // a label over so many points hides more than it tells
        if (placement && !is_top && placement->cost > kTooMuch) placement.reset();
        const std::string style = fmt::format("stroke=\"{}\" stroke-width=\"{}\" stroke-opacity=\"{}\"",
                                              is_top ? kRoof : kBandwidthCeiling, is_top ? 2.4 : 1.2,
                                              placement || is_top ? 1.0 : 0.4);
        canvas.line(slope.x(line->u1, line->v), slope.y(line->u1, line->v), slope.x(line->u2, line->v),
                    slope.y(line->u2, line->v), style, full);
        if (!placement) continue;
        const Box& box = placement->box;
        labels.push_back({box.left - 6.0, box.top, box.width + 12.0, box.height});
        canvas.text(slope.x(box.left, placement->baseline), slope.y(box.left, placement->baseline), text,
                    Anchor::start, label_style(is_top ? kRoof : kBandwidthCeiling), slope.degrees, full);
        // For upright labels a chain of small squares stands for the slanted box.
        for (double u = box.left; u <= box.left + box.width; u += 6.0) {
            const double v = box.top + 0.5 * box.height;
            taken.add({slope.x(u, v) - 7.0, slope.y(u, v) - 7.0, 14.0, 14.0});
        }
    }
}

}  // namespace

PlotRanges plot_ranges(const RooflinePlot& plot) {
    Range x{INFINITY, 0.0}, y{INFINITY, 0.0};
    const auto include = [](Range& range, double value) {
        range.low = std::min(range.low, value);
        range.high = std::max(range.high, value);
    };
    for (const PlotSeries& series : plot.series) {
        for (const PlotPoint& point : series.points) {
            include(x, point.intensity);
            include(y, point.flops_per_second);
        }
    }
    const bool any_point = x.high > 0.0;
    const PlotCeiling* compute = roof_of(plot, false);
    const PlotCeiling* bandwidth = roof_of(plot, true);
    const double roof = compute ? compute->rate : 0.0;
    if (!any_point) {
        const double ridge = compute && bandwidth ? compute->rate / bandwidth->rate : 1.0;
        x = {ridge / 10.0, ridge * 10.0};
    } else {
        x = {x.low / 2.5, x.high * 2.5};
    }
    if (compute) {
        const double farthest = x.high * (any_point ? 40.0 : 1000.0);
        for (const PlotCeiling& ceiling : plot.ceilings) {
            const double ridge = roof / ceiling.rate;
            if (ceiling.bandwidth && 1.6 * ridge <= farthest) x.high = std::max(x.high, 1.6 * ridge);
        }
    }
    x = widened(x, 1.3);

    const double attainable = compute ? roof : bandwidth ? bandwidth->rate * x.high : 0.0;
    if (attainable > 0.0) include(y, attainable);
    if (y.high <= 0.0) y = {1.0, 1e3};
    // The top is the roof; only points that no roof explains lift it.
    const double top = any_point && y.high > attainable ? 1.3 * y.high : y.high;
    const double points_low = any_point ? y.low / 1.8 : top;
    // With a roof the plot shows what lies below it; without one, only the points.
    y = {std::min(points_low, top / (attainable > 0.0 || !any_point ? 300.0 : 5.0)), top};
    if (std::log10(y.high / y.low) > kMostDecades) y.low = y.high * std::pow(10.0, -kMostDecades);
    return {x, y};
}

double label_column(const RooflinePlot& plot, double most) {
    double widest = 0.0;
    for (const PlotCeiling& ceiling : plot.ceilings) {
        if (!ceiling.bandwidth) widest = std::max(widest, pixel_width(ceiling_name(ceiling), kFont));
    }
    return std::min(most, widest + kLeader + 12.0);
}

void draw_axes(SvgCanvas& canvas, const Frame& frame) {
    const Box& area = frame.area;
    const double bottom = area.top + area.height, right = area.left + area.width;
    const std::string tick_style = fmt::format("font-size=\"{}\" fill=\"{}\"", kFont, kFaint);
    const std::string title_style = fmt::format("font-size=\"{}\" fill=\"{}\"", kFont + 1.0, kInk);
    const auto grid = [](bool major) {
        return fmt::format("stroke=\"{}\" stroke-width=\"{}\"", kGrid, major ? 1.0 : 0.5);
    };
    for (const Tick& tick : frame.x.ticks("", 44.0)) {
        const double x = frame.x.at(tick.value);
        canvas.line(x, area.top, x, bottom, grid(!tick.label.empty()));
        if (!tick.label.empty()) canvas.text(x, bottom + 17.0, tick.label, Anchor::middle, tick_style);
    }
    for (const Tick& tick : frame.y.ticks("flop/s", 22.0)) {
        const double y = frame.y.at(tick.value);
        canvas.line(area.left, y, right, y, grid(!tick.label.empty()));
        if (!tick.label.empty())
            canvas.text(area.left - 7.0, y + 0.35 * kFont, tick.label, Anchor::end, tick_style);
    }
    canvas.rectangle(area.left, area.top, area.width, area.height,
                     fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1\"", kFaint));
    canvas.text(area.left + area.width / 2.0, bottom + 37.0, "Arithmetic intensity (flop/byte)",
                Anchor::middle, title_style);
    canvas.text(16.0, area.top + area.height / 2.0, "Performance", Anchor::middle, title_style, 90.0);
}

void draw_ceilings(SvgCanvas& canvas, const Frame& frame, const RooflinePlot& plot, Taken& taken) {
    draw_flat(canvas, frame, plot);
    draw_diagonal(canvas, frame, plot, taken);
}

}  // namespace rooftune
