#include "tuner/report/replay_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "tuner/report/label_layout.h"
#include "tuner/report/plot_style.h"
#include "tuner/report/replay_text.h"
#include "tuner/report/si.h"
#include "tuner/report/text_width.h"

namespace rooftune {
namespace {

using namespace plot_style;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kPoints = 51;
constexpr double kWidth = 1000.0;
constexpr Box kMain{104.0, 76.0, 640.0, 400.0};
constexpr double kMainBottom = kMain.top + kMain.height + 56.0;  // below its axis
constexpr std::size_t kColumns = 3;
constexpr double kSmallHeight = 150.0, kSmallLeft = 66.0, kSmallGap = 16.0;
constexpr double kSmallHead = 28.0, kSmallFoot = 30.0;
constexpr double kTop = 1.05;      // of the axis of scores
constexpr double kDeepest = -1.0;  // curves below are cut: they would press all others together
constexpr double kSample = 26.0;   // pixels of a curve beside its name

struct Series {
    std::string name, label;
    std::vector<double> curve;
};

// Six colours, then the same with other dashes.
std::string look_of(std::size_t strategy) {
    constexpr std::array<std::string_view, 4> kDashes{
        "", " stroke-dasharray=\"7 4\"", " stroke-dasharray=\"2 3\"", " stroke-dasharray=\"9 3 2 3\""};
    return fmt::format("class=\"{} stroke\"{}", series_hue(strategy),
                       kDashes[(strategy / 6) % kDashes.size()]);
}

std::string score_text(double score) {
    return std::isnan(score) ? "no score" : fmt::format("{:.2f}", score);
}

/// From shares of the budget and scores to pixels.
struct Panel {
    Box area;
    double low = kDeepest;
    double x(double share) const { return area.left + share * area.width; }
    double y(double score) const {
        return area.top + area.height * (kTop - std::max(score, low)) / (kTop - low);
    }
};

// The highest of -0.25, -0.5 and -1 with all curves above it and some room; -1 also where they go below.
double low_of(const std::vector<Series>& all) {
    double least = 0.0;
    for (const Series& s : all) {
        for (const double p : s.curve) least = std::isnan(p) ? least : std::min(least, p);
    }
    return least >= -0.22 ? -0.25 : least >= -0.45 ? -0.5 : kDeepest;
}

// Cut where it leaves the panel, broken where there is no score.
std::string path_of(const Panel& panel, const std::vector<double>& curve) {
    std::string data;
    bool open = false;
    const double step = curve.size() > 1 ? 1.0 / static_cast<double>(curve.size() - 1) : 0.0;
    const auto add = [&](double share, double score) {
        data += fmt::format("{}{:.1f} {:.1f}", open ? "L" : "M", panel.x(share), panel.y(score));
        open = true;
    };
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const double share = step * static_cast<double>(i);
        const bool inside = curve[i] >= panel.low;  // not for NaN
        const bool was_inside = i > 0 && curve[i - 1] >= panel.low;
        if (i > 0 && inside != was_inside && !std::isnan(curve[i]) && !std::isnan(curve[i - 1])) {
            const double part = (panel.low - curve[i - 1]) / (curve[i] - curve[i - 1]);
            add(share - step * (1.0 - part), panel.low);
        }
        if (inside) add(share, curve[i]);
        open = inside;
    }
    return data;
}

void draw_axes(SvgCanvas& canvas, const Panel& panel, bool small) {
    const double left = panel.area.left, right = left + panel.area.width;
    const double bottom = panel.area.top + panel.area.height;
    const TextStyle text{small ? kSmall : kFont, "faint"};
    for (const double score : {1.0, 0.75, 0.5, 0.25, 0.0, -0.25, -0.5, -0.75, -1.0}) {
        const bool end = score == 1.0 || score == 0.0;
        const bool half = std::fmod(score, 0.5) == 0.0;
        if (score < panel.low || (!half && (small || panel.low == kDeepest))) continue;
        canvas.line(left, panel.y(score), right, panel.y(score),
                    end ? "class=\"frame\" stroke-width=\"1.2\"" : "class=\"grid\" stroke-width=\"1\"");
        const std::string_view what = score == 1.0 ? "best 1" : score == 0.0 ? "random 0" : "";
        canvas.text(left - 7.0, panel.y(score) + 0.35 * text.size,
                    what.empty() ? fmt::format("{:g}", score) : std::string(what), Anchor::end, text);
    }
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        const bool half = std::fmod(share, 0.5) == 0.0;
        if (small && !half) continue;
        canvas.line(panel.x(share), panel.area.top, panel.x(share), bottom,
                    "class=\"grid\" stroke-width=\"1\"");
        canvas.text(panel.x(share), bottom + 17.0, format_percent(share), Anchor::middle, text);
    }
    canvas.line(left, panel.area.top, left, bottom, "class=\"frame\" stroke-width=\"1.2\"");
    if (small) return;
    canvas.text(0.5 * (left + right), bottom + 40.0, "share of the time budget", Anchor::middle,
                {13.0, "ink"});
    canvas.text(left - 76.0, panel.area.top + 0.5 * panel.area.height, "score P(t)", Anchor::middle,
                {13.0, "ink"}, 90.0);
}

void draw_curves(SvgCanvas& canvas, const Panel& panel, const std::vector<Series>& all, double width) {
    for (std::size_t s = 0; s < all.size(); ++s) {
        canvas.path(0.0, 0.0, path_of(panel, all[s].curve),
                    fmt::format("{} stroke-width=\"{}\"", look_of(s), width),
                    all[s].name + ": " + all[s].label);
    }
}

// Names in the order in which the curves end, each with a piece of its line.
void draw_legend(SvgCanvas& canvas, const Panel& panel, const std::vector<Series>& all) {
    const double right = panel.area.left + panel.area.width;
    const auto end_of = [&](std::size_t s) {
        const std::vector<double>& curve = all[s].curve;
        const auto last = std::find_if(curve.rbegin(), curve.rend(), [](double p) { return !std::isnan(p); });
        return panel.y(last == curve.rend() ? panel.low : std::min(*last, kTop));
    };
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return end_of(a) < end_of(b); });
    std::vector<double> wanted;
    for (const std::size_t s : order) wanted.push_back(end_of(s));
    const std::vector<double> placed =
        spread(wanted, kLineHeight + 2.0, panel.area.top, panel.area.top + panel.area.height);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Series& series = all[order[i]];
        const double from = right + 14.0, name = from + kSample + 6.0;
        canvas.line(right, wanted[i], from, placed[i], "class=\"frame\" stroke-width=\"0.7\"");
        canvas.line(from, placed[i], from + kSample, placed[i], look_of(order[i]) + " stroke-width=\"2.2\"");
        const std::string label = series.name + ", " + series.label;
        canvas.text(name, placed[i] + 0.35 * kFont, cut_to_pixels(label, kFont, kWidth - name - 8.0),
                    Anchor::start, {kFont, "ink"}, 0.0, label);
    }
}

std::vector<Series> series_of(const Replay& replay) {
    std::vector<Series> all;
    for (std::size_t s = 0; s < replay.strategies.size(); ++s) {
        const StrategyReplay& strategy = replay.strategies[s];
        all.push_back({strategy.name, score_text(strategy.score), curve_over_budget(replay, s, kPoints)});
    }
    return all;
}

std::vector<Series> mean_series(const std::vector<Replay>& replays) {
    std::vector<Series> all;
    const std::vector<double> scores = mean_scores(replays);
    for (std::size_t s = 0; s < scores.size(); ++s) {
        all.push_back(
            {replays.front().strategies[s].name, score_text(scores[s]), mean_curve(replays, s, kPoints)});
    }
    return all;
}

}  // namespace

std::vector<double> curve_over_budget(const Replay& replay, std::size_t strategy, std::size_t points) {
    // The curve ends before the grid does where there is nothing left to be ahead of.
    const std::vector<double>& curve = replay.strategies[strategy].curve;
    std::vector<double> values;
    for (std::size_t i = 0; i < points; ++i) {
        const double share = points > 1 ? static_cast<double>(i) / static_cast<double>(points - 1) : 0.0;
        const double at = share * static_cast<double>(std::max<std::size_t>(replay.grid.size(), 1) - 1);
        const auto before = static_cast<std::size_t>(at);
        const double part = at - static_cast<double>(before);
        if (before + (part > 0.0 ? 1 : 0) >= curve.size()) {
            values.push_back(kNaN);
        } else {
            values.push_back(part > 0.0 ? (1.0 - part) * curve[before] + part * curve[before + 1]
                                        : curve[before]);
        }
    }
    return values;
}

std::vector<double> mean_curve(const std::vector<Replay>& replays, std::size_t strategy, std::size_t points) {
    std::vector<double> sums(points, 0.0);
    std::vector<int> counts(points, 0);
    for (const Replay& replay : replays) {
        const std::vector<double> curve = curve_over_budget(replay, strategy, points);
        for (std::size_t i = 0; i < points; ++i) {
            if (std::isnan(curve[i])) continue;
            sums[i] += curve[i];
            ++counts[i];
        }
    }
    for (std::size_t i = 0; i < points; ++i) sums[i] = counts[i] > 0 ? sums[i] / counts[i] : kNaN;
    return sums;
}

ReplayDrawing draw_replay(const std::vector<Replay>& replays, const ReplayRules& rules) {
    const bool several = replays.size() > 1;
    const std::vector<Series> main = several ? mean_series(replays) : series_of(replays.front());
    const Panel panel{kMain, low_of(main)};
    SvgCanvas canvas;
    ReplayDrawing drawing;
    const std::string title = several ? fmt::format("Strategies on {} recorded spaces", replays.size())
                                      : "Strategies on " + printable(replays.front().space);
    const std::string what = fmt::format(
        "Score over the time in which random sampling goes 95 % of the way from the median to the best; {} "
        "of each",
        format_plural(static_cast<std::uint64_t>(rules.runs), "run"));
    canvas.text(kMain.left, 30.0, cut_to_pixels(title, 17.0, kWidth - kMain.left - 20.0), Anchor::start,
                {17.0, "ink", true}, 0.0, title);
    canvas.text(kMain.left, 50.0, cut_to_pixels(what, 12.0, kWidth - kMain.left - 20.0), Anchor::start,
                {12.0, "faint"});
    draw_axes(canvas, panel, false);
    draw_curves(canvas, panel, main, 2.2);
    draw_legend(canvas, panel, main);
    drawing.panels.push_back(kMain);
    double height = kMainBottom;
    if (several) {
        const double column = (kWidth - 2.0 * kSmallGap) / static_cast<double>(kColumns);
        const double row = kSmallHead + kSmallHeight + kSmallFoot;
        for (std::size_t i = 0; i < replays.size(); ++i) {
            const std::vector<Series> of_space = series_of(replays[i]);
            const double left = kSmallGap + column * static_cast<double>(i % kColumns) + kSmallLeft;
            const double top = kMainBottom + row * static_cast<double>(i / kColumns) + kSmallHead;
            const Panel small{{left, top, column - kSmallLeft - kSmallGap, kSmallHeight}, low_of(of_space)};
            const std::string name = printable(replays[i].space);
            canvas.text(left, top - 8.0, cut_to_pixels(name, kSmall, small.area.width), Anchor::start,
                        {kSmall, "ink"}, 0.0, name);
            draw_axes(canvas, small, true);
            draw_curves(canvas, small, of_space, 1.4);
            drawing.panels.push_back(small.area);
            height = top + kSmallHeight + kSmallFoot;
        }
    }
    drawing.page = {0.0, 0.0, kWidth, height};
    drawing.texts = canvas.texts();
    drawing.svg = canvas.finish(kWidth, height, title, what, css());
    return drawing;
}

std::string replay_svg(const std::vector<Replay>& replays, const ReplayRules& rules) {
    return draw_replay(replays, rules).svg;
}

}  // namespace rooftune
