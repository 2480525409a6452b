#include "tuner/chart/roofline_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tuner/chart/chart_panel.h"

namespace rooftune {
namespace {

using namespace plot_style;

constexpr double kMostDecades = 15.0;

/// The nearest of 1, 1.5, 2, 3, 5, 7 times a power of ten: ceilings that are measured again move by a few
/// per cent, and the axes should not.
double snapped(double value, bool up) {
    constexpr std::array<double, 7> kSteps{1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0};
    const double decade = std::pow(10.0, std::floor(std::log10(value)));
    const double mantissa = value / decade;
    double found = up ? 10.0 : 1.0;
    for (const double step : kSteps) {
        if (up && step >= mantissa * (1.0 - 1e-9)) {
            found = step;
            break;
        }
        if (!up && step <= mantissa * (1.0 + 1e-9)) found = step;
    }
    return found * decade;
}

void include(Range& range, double value) {
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
}

Range limited(Range range) {
    range.high = std::clamp(range.high, 1e-290, 1e290);
    range.low = std::clamp(range.low, range.high * std::pow(10.0, -kMostDecades), range.high / 10.0);
    return range;
}

PlotRanges ranges_of_points(const RooflinePlot& plot) {
    Range x{INFINITY, 0.0}, y{INFINITY, 0.0};
    for (const PlotSeries& series : plot.series) {
        for (const PlotMark& mark : series.marks) {
            include(x, mark.intensity);
            include(y, mark.rate);
        }
    }
    if (x.high <= 0.0) return {{0.01, 100.0}, {1e9, 1e12}};
    return {limited({snapped(x.low / 3.0, false), snapped(x.high * 3.0, true)}),
            limited({snapped(y.low / 3.0, false), snapped(y.high * 3.0, true)})};
}

}  // namespace

PlotRanges plot_ranges(const RooflinePlot& plot) {
    // Roofs of compute and all diagonals, drawn or not.
    Range compute{INFINITY, 0.0}, bandwidth{INFINITY, 0.0};
    for (const std::vector<PlotLine>* lines : {&plot.axis_lines, &plot.lines}) {
        for (const PlotLine& line : *lines) {
            if (line.bandwidth) {
                include(bandwidth, line.rate);
            } else if (line.roof) {
                include(compute, line.rate);
            }
        }
    }
    const bool has_compute = compute.high > 0.0, has_bandwidth = bandwidth.high > 0.0;
    if (!has_compute && !has_bandwidth) return ranges_of_points(plot);
    Range x{0.02, 200.0};
    if (has_compute && has_bandwidth) {
        x.low = snapped(std::min(compute.low / bandwidth.high / 15.0, 0.02), false);
        x.high = snapped(std::max(compute.high / bandwidth.low * 40.0, 200.0), true);
    }
    x = limited(x);
    const double top = has_compute ? compute.high : bandwidth.high * x.high;
    const double left = has_bandwidth ? bandwidth.low * x.low : top;
    return {x, limited({snapped(std::min(left / 2.0, top / 1000.0), false), snapped(top * 1.25, true)})};
}

Spot spot_of(const Frame& frame, double intensity, double rate) {
    constexpr double kInside = 11.0;
    Spot spot;
    spot.beyond_x = intensity < frame.x.low() ? -1 : intensity > frame.x.high() ? 1 : 0;
    spot.beyond_y = rate < frame.y.low() ? -1 : rate > frame.y.high() ? 1 : 0;
    spot.at = frame.at(intensity, rate);
    const Box& area = frame.area;
    spot.at.x = std::clamp(spot.at.x, area.left + (spot.beyond_x ? kInside : 0.0),
                           area.right() - (spot.beyond_x ? kInside : 0.0));
    spot.at.y = std::clamp(spot.at.y, area.top + (spot.beyond_y ? kInside : 0.0),
                           area.bottom() - (spot.beyond_y ? kInside : 0.0));
    return spot;
}

void draw_axes(SvgCanvas& canvas, const Frame& frame, std::string_view unit) {
    const ChartPanel panel(canvas, frame.area);
    panel.columns(frame.x, "", 44.0, 0.5);
    panel.rows(frame.y, unit, 22.0, 0.5);
    panel.frame();
    panel.name_x(fmt::format("Arithmetic intensity ({}/byte)", unit.substr(0, unit.find('/'))), 38.0,
                 kFont + 0.5);
    panel.name_y("Performance", 18.0, kFont + 0.5);
}

}  // namespace rooftune
