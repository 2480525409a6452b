#include "tuner/bound/sweep_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "tuner/base/si.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/chart_panel.h"
#include "tuner/chart/curves.h"

namespace rooftune {
namespace {

using namespace plot_style;

constexpr double kWidth = 1000.0, kHeight = 560.0;
constexpr Box kArea{86.0, 74.0, 640.0, 410.0};
constexpr HeadingPlace kHeading{
    .left = kArea.left, .room = kWidth - kArea.left - 20.0, .title = 28.0, .under = 47.0};
constexpr NameColumn kNames{.leader = 12.0, .sample = 0.0, .gap = 4.0, .page_right = kWidth - 8.0};
// Classes of the style sheet.
constexpr std::string_view kAttainable = "series1", kSerial = kGreyHue, kCompute = "type1", kLink = "type2";

struct Curve {
    std::string label;
    std::string_view hue;
    std::string style;
    std::vector<std::pair<double, double>> at;  ///< size, flop/s
};

// What a side alone would allow: all operations over its largest term.
double allowed_by(const SweepPoint& point, const std::string& side) {
    double seconds = 0.0;
    for (const Term& term : point.bound.bound.terms) {
        if (side_of(term.kind) == side) seconds = std::max(seconds, term.seconds.value);
    }
    return seconds > 0.0 ? point.flops / seconds : 0.0;
}

// "memory, 820 GB/s": the rate of the side's largest term at the end of the sweep.
std::string side_label(const SweepPoint& last, const std::string& side, const std::string& unit) {
    for (const Term& term : last.bound.bound.terms) {
        if (side_of(term.kind) != side) continue;
        return side + ", " + format_si(term.rate, side == "compute" ? unit : "B/s");
    }
    return side;
}

std::vector<Curve> curves_of(const Sweep& sweep, const std::string& unit) {
    std::vector<Curve> curves;
    const SweepPoint& last = sweep.curve.back();
    const std::array<std::pair<const char*, std::string_view>, 3> sides{
        {{"compute", kCompute}, {"memory", kBandwidthHue}, {"link", kLink}}};
    for (const auto& [side, hue] : sides) {
        Curve curve{side_label(last, side, unit), hue, stroke(hue, 1.3), {}};
        for (const SweepPoint& p : sweep.curve) {
            if (const double rate = allowed_by(p, side); rate > 0.0) curve.at.emplace_back(p.size, rate);
        }
        if (!curve.at.empty()) curves.push_back(std::move(curve));
    }
    Curve serial{"without overlap", kSerial, stroke(kSerial, 1.6, "5 4"), {}};
    Curve attainable{"attainable", kAttainable, stroke(kAttainable, 2.6), {}};
    for (const SweepPoint& p : sweep.curve) {
        if (p.bound.attainable <= 0.0) continue;
        serial.at.emplace_back(p.size, p.bound.attainable_serial);
        attainable.at.emplace_back(p.size, p.bound.attainable);
    }
    curves.push_back(std::move(serial));
    curves.push_back(std::move(attainable));
    return curves;
}

struct Axes {
    LogAxis x, y;
};

Axes axes_of(const Sweep& sweep, const std::vector<Curve>& curves) {
    double low = 0.0, high = 0.0;
    for (const auto& [size, rate] : curves[curves.size() - 2].at)
        low = low > 0.0 ? std::min(low, rate) : rate;
    for (const auto& [size, rate] : curves.back().at) high = std::max(high, rate);
    if (!(low > 0.0)) low = high = 1.0;
    double first = sweep.points.front().size, last = sweep.points.back().size;
    if (first == last) {
        first /= 2.0;
        last *= 2.0;
    }
    return {LogAxis(first, last, kArea.left, kArea.right()),
            LogAxis(low / 1.5, high * 2.0, kArea.bottom(), kArea.top)};
}

void draw_axes(SvgCanvas& canvas, const Axes& axes, const std::string& size, const std::string& unit) {
    const ChartPanel panel(canvas, kArea, kFont);
    panel.columns(axes.x, "", 52.0);
    panel.rows(axes.y, unit, 22.0);
    panel.bottom_edge();
    panel.left_edge();
    panel.name_x(size, 40.0, 13.0);
}

void draw_curves(SvgCanvas& canvas, const std::vector<Curve>& curves, const Axes& axes) {
    for (const Curve& curve : curves) {
        std::vector<PixelPoint> points;
        for (const auto& [size, rate] : curve.at) points.push_back({axes.x.at(size), axes.y.unclamped(rate)});
        canvas.path(0.0, 0.0, path_within(points, kArea.top, kArea.bottom()), curve.style, curve.label);
    }
}

void draw_names(SvgCanvas& canvas, const std::vector<Curve>& curves, const Axes& axes) {
    std::vector<CurveName> names;
    for (const Curve& curve : curves) {
        if (!curve.at.empty())
            names.push_back({axes.y.at(curve.at.back().second), curve.label, text_in(curve.hue)});
    }
    draw_curve_names(canvas, kArea, kNames, std::move(names));
}

void draw_critical(SvgCanvas& canvas, const Sweep& sweep, const Axes& axes) {
    if (!sweep.critical) return;
    const double value = sweep.critical->value;
    if (value < axes.x.low() || value > axes.x.high()) return;
    const double x = axes.x.at(value);
    canvas.line(x, kArea.top, x, kArea.bottom(),
                "class=\"frame\" stroke-width=\"1\" stroke-dasharray=\"2 3\"");
    const std::string label = sweep.size + " = " + critical_text(value);
    const double half = 0.5 * pixel_width(label, kFont);
    const double at = std::clamp(x, kArea.left + half, kArea.right() - half);
    canvas.text(at, kArea.top - 7.0, label, Anchor::middle, {kFont, "ink"}, 0.0,
                solved_text({sweep.size, sweep.critical, ""}));
}

}  // namespace

std::string sweep_svg(const BoundAnswer& a) {
    const Sweep& sweep = *a.sweep;
    const std::string unit = is_integer(a.workload.dtype) ? "op/s" : "flop/s";
    const std::vector<Curve> curves = curves_of(sweep, unit);
    const Axes axes = axes_of(sweep, curves);
    const std::string title = a.family + " on " + printable(a.machine.name);
    SvgCanvas canvas;
    draw_heading(canvas, kHeading, title,
                 "attainable rate over " + sweep.size + "; at its end: " + printable(a.workload.title));
    draw_axes(canvas, axes, sweep.size, unit);
    draw_curves(canvas, curves, axes);
    draw_critical(canvas, sweep, axes);
    constexpr std::size_t kMostDots = 80;
    for (const SweepPoint& p : sweep.points) {
        if (sweep.points.size() > kMostDots || p.bound.attainable <= 0.0) continue;
        canvas.circle(
            axes.x.at(p.size), axes.y.at(p.bound.attainable), 3.2, filled(kAttainable),
            fmt::format("{} = {:.10g}: {}", sweep.size, p.size, format_si(p.bound.attainable, unit)));
    }
    draw_names(canvas, curves, axes);
    return canvas.finish(kWidth, kHeight, title, "Attainable rate over " + sweep.size, css());
}

}  // namespace rooftune
