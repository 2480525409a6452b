#include "tuner/chart/plot_regions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tuner/chart/plot_style.h"

namespace rooftune {
namespace {

using namespace plot_style;

/// The lowest line of the basis's own group.
double lowest_ceiling(const std::vector<PlotLine>& lines, const PlotLine& basis) {
    double rate = basis.rate;
    for (const PlotLine& line : lines) {
        if (line.bandwidth == basis.bandwidth && line.group == basis.group) rate = std::min(rate, line.rate);
    }
    return rate;
}

/// The area between two intensities, from the axis up to the roof.
std::vector<PixelPoint> under_roof(const Frame& frame, double compute, double memory, double from,
                                   double to) {
    const auto roof = [&](double intensity) { return std::min(compute, memory * intensity); };
    const double bottom = frame.area.bottom();
    std::vector<PixelPoint> points{{frame.x.at(from), bottom}, frame.at(from, roof(from))};
    const double ridge = compute / memory;
    // Where the diagonal rises through the lower edge, and where it meets the roof.
    for (const double corner : {frame.y.low() / memory, ridge}) {
        if (corner > from && corner < to) points.push_back(frame.at(corner, roof(corner)));
    }
    points.push_back(frame.at(to, roof(to)));
    points.push_back({frame.x.at(to), bottom});
    return points;
}

struct Zone {
    const char* style;
    double from, to;
    std::array<const char*, 2> names;  ///< the longer one where there is room
};

}  // namespace

Regions regions_under(const std::vector<PlotLine>& lines) {
    const PlotLine* compute = basis_of(lines, false);
    const PlotLine* memory = basis_of(lines, true);
    if (!compute || !memory) return {};
    return {lowest_ceiling(lines, *compute) / memory->rate, compute->rate / lowest_ceiling(lines, *memory)};
}

void draw_regions(SvgCanvas& canvas, const Frame& frame, const RooflinePlot& plot) {
    const PlotLine* compute = basis_of(plot.lines, false);
    const PlotLine* memory = basis_of(plot.lines, true);
    if (!compute || !memory) return;
    const Regions regions = regions_under(plot.lines);
    const double low = frame.x.low(), high = frame.x.high();
    const double first = std::clamp(regions.memory_only, low, high);
    const double second = std::clamp(regions.compute_only, low, high);
    const std::array<Zone, 3> zones{
        {{"zone-memory", low, first, {"memory optimisations pay", "memory"}},
         {"zone-both", first, second, {"memory and compute optimisations pay", "both"}},
         {"zone-compute", second, high, {"compute optimisations pay", "compute"}}}};
    for (const Zone& zone : zones) {
        const double left = frame.x.at(zone.from), right = frame.x.at(zone.to);
        if (right - left < 1.0) continue;
        canvas.polyline(under_roof(frame, compute->rate, memory->rate, zone.from, zone.to), true,
                        fmt::format("class=\"{}\"", zone.style),
                        fmt::format("{}: {:.3g} to {:.3g} flop/byte", zone.names[0], zone.from, zone.to));
        for (const char* name : zone.names) {
            if (pixel_width(name, kSmall) + 12.0 > right - left) continue;
            canvas.text(0.5 * (left + right), frame.area.bottom() - 8.0, name, Anchor::middle,
                        {kSmall, "faint"});
            break;
        }
    }
}

bool draw_band(SvgCanvas& canvas, const Frame& frame, const RooflinePlot& plot, const PlotSeries& series,
               std::string_view hue) {
    if (!(series.band.low > 0.0) || !(series.band.high > series.band.low)) return false;
    const double low = std::clamp(series.band.low, frame.x.low(), frame.x.high());
    const double high = std::clamp(series.band.high, frame.x.low(), frame.x.high());
    if (!(low < high)) return false;
    const PlotLine* compute = basis_of(plot.lines, false);
    const PlotLine* memory = basis_of(plot.lines, true);
    const double top = compute ? compute->rate : frame.y.high();
    const std::vector<PixelPoint> area =
        under_roof(frame, top, memory ? memory->rate : top / low * 2.0, low, high);
    canvas.polyline(
        area, true,
        fmt::format("class=\"{} fill\" fill-opacity=\"0.16\" stroke=\"currentColor\" "
                    "stroke-width=\"0.8\" stroke-opacity=\"0.6\"",
                    hue),
        fmt::format("{}: between {:.3g} flop/byte{} and {:.3g} where each byte moves once", series.name,
                    series.band.low, series.band.what.empty() ? "" : " with " + series.band.what,
                    series.band.high));
    return true;
}

}  // namespace rooftune
