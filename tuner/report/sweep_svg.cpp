#include "tuner/report/sweep_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tuner/report/label_layout.h"
#include "tuner/report/log_axis.h"
#include "tuner/report/plot_style.h"
#include "tuner/report/si.h"
#include "tuner/report/svg_canvas.h"
#include "tuner/report/text_width.h"

namespace rooftune {
namespace {

using namespace plot_style;

constexpr double kWidth = 1000.0, kHeight = 560.0;
constexpr Box kArea{86.0, 74.0, 640.0, 410.0};
constexpr double kLabelLeft = kArea.left + kArea.width + 16.0;
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
        Curve curve{side_label(last, side, unit), hue, "stroke-width=\"1.3\"", {}};
        for (const SweepPoint& p : sweep.curve) {
            if (const double rate = allowed_by(p, side); rate > 0.0) curve.at.emplace_back(p.size, rate);
        }
        if (!curve.at.empty()) curves.push_back(std::move(curve));
    }
    Curve serial{"without overlap", kSerial, "stroke-width=\"1.6\" stroke-dasharray=\"5 4\"", {}};
    Curve attainable{"attainable", kAttainable, "stroke-width=\"2.6\"", {}};
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
    return {LogAxis(first, last, kArea.left, kArea.left + kArea.width),
            LogAxis(low / 1.5, high * 2.0, kArea.top + kArea.height, kArea.top)};
}

void draw_axes(SvgCanvas& canvas, const Axes& axes, const std::string& size, const std::string& unit) {
    const double bottom = kArea.top + kArea.height, right = kArea.left + kArea.width;
    const std::string_view grid = "class=\"grid\" stroke-width=\"1\"";
    const TextStyle text{kFont, "faint"};
    for (const Tick& tick : axes.x.ticks("", 52.0)) {
        const double x = axes.x.at(tick.value);
        canvas.line(x, kArea.top, x, bottom, grid);
        if (!tick.label.empty()) canvas.text(x, bottom + 17.0, tick.label, Anchor::middle, text);
    }
    for (const Tick& tick : axes.y.ticks(unit, 22.0)) {
        const double y = axes.y.at(tick.value);
        canvas.line(kArea.left, y, right, y, grid);
        if (!tick.label.empty())
            canvas.text(kArea.left - 7.0, y + 0.35 * kFont, tick.label, Anchor::end, text);
    }
    const std::string_view edge = "class=\"frame\" stroke-width=\"1.2\"";
    canvas.line(kArea.left, bottom, right, bottom, edge);
    canvas.line(kArea.left, kArea.top, kArea.left, bottom, edge);
    canvas.text(0.5 * (kArea.left + right), bottom + 40.0, size, Anchor::middle, {13.0, "ink"});
}

// The part of a curve below the top and above the bottom of the plot, cut where it leaves.
std::string path_of(const Curve& curve, const Axes& axes) {
    std::string data;
    bool open = false;
    const auto add = [&](double size, double rate) {
        data += fmt::format("{}{:.1f} {:.1f}", open ? "L" : "M", axes.x.at(size), axes.y.at(rate));
        open = true;
    };
    const auto inside = [&](double rate) { return rate >= axes.y.low() && rate <= axes.y.high(); };
    for (std::size_t i = 0; i < curve.at.size(); ++i) {
        const auto [size, rate] = curve.at[i];
        if (i > 0 && inside(rate) != inside(curve.at[i - 1].second)) {
            const auto [size0, rate0] = curve.at[i - 1];
            const double edge = std::max(rate, rate0) > axes.y.high() ? axes.y.high() : axes.y.low();
            const double share = std::log(edge / rate0) / std::log(rate / rate0);
            add(size0 * std::pow(size / size0, share), edge);
        }
        if (inside(rate)) add(size, rate);
        open = open && inside(rate);
    }
    return data;
}

void draw_labels(SvgCanvas& canvas, const std::vector<Curve>& curves, const Axes& axes) {
    std::vector<const Curve*> order;
    for (const Curve& curve : curves) {
        if (!curve.at.empty()) order.push_back(&curve);
    }
    const auto end_of = [&](const Curve* c) { return axes.y.at(c->at.back().second); };
    std::stable_sort(order.begin(), order.end(),
                     [&](const Curve* a, const Curve* b) { return end_of(a) < end_of(b); });
    std::vector<double> wanted;
    for (const Curve* curve : order) wanted.push_back(end_of(curve));
    const std::vector<double> placed = spread(wanted, kLineHeight + 2.0, kArea.top, kArea.top + kArea.height);
    for (std::size_t i = 0; i < order.size(); ++i) {
        canvas.line(kArea.left + kArea.width, wanted[i], kLabelLeft - 4.0, placed[i],
                    "class=\"frame\" stroke-width=\"0.7\"");
        const std::string look = fmt::format("{} fill", order[i]->hue);
        canvas.text(kLabelLeft, placed[i] + 0.35 * kFont,
                    cut_to_pixels(order[i]->label, kFont, kWidth - kLabelLeft - 8.0), Anchor::start,
                    {kFont, look}, 0.0, order[i]->label);
    }
}

void draw_critical(SvgCanvas& canvas, const Sweep& sweep, const Axes& axes) {
    if (!sweep.critical) return;
    const double value = sweep.critical->value;
    if (value < axes.x.low() || value > axes.x.high()) return;
    const double x = axes.x.at(value);
    canvas.line(x, kArea.top, x, kArea.top + kArea.height,
                "class=\"frame\" stroke-width=\"1\" stroke-dasharray=\"2 3\"");
    const std::string label = sweep.size + " = " + critical_text(value);
    const double half = 0.5 * pixel_width(label, kFont);
    const double at = std::clamp(x, kArea.left + half, kArea.left + kArea.width - half);
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
    canvas.text(kArea.left, 28.0, cut_to_pixels(title, 17.0, kWidth - kArea.left - 20.0), Anchor::start,
                {17.0, "ink", true});
    canvas.text(
        kArea.left, 47.0,
        cut_to_pixels("attainable rate over " + sweep.size + "; at its end: " + printable(a.workload.title),
                      12.0, kWidth - kArea.left - 20.0),
        Anchor::start, {12.0, "faint"});
    draw_axes(canvas, axes, sweep.size, unit);
    for (const Curve& curve : curves) {
        canvas.path(0.0, 0.0, path_of(curve, axes),
                    fmt::format("class=\"{} stroke\" {}", curve.hue, curve.style), curve.label);
    }
    draw_critical(canvas, sweep, axes);
    constexpr std::size_t kMostDots = 80;
    for (const SweepPoint& p : sweep.points) {
        if (sweep.points.size() > kMostDots || p.bound.attainable <= 0.0) continue;
        canvas.circle(
            axes.x.at(p.size), axes.y.at(p.bound.attainable), 3.2,
            fmt::format("class=\"{} fill\"", kAttainable),
            fmt::format("{} = {:.10g}: {}", sweep.size, p.size, format_si(p.bound.attainable, unit)));
    }
    draw_labels(canvas, curves, axes);
    return canvas.finish(kWidth, kHeight, title, "Attainable rate over " + sweep.size, css());
}

}  // namespace rooftune
