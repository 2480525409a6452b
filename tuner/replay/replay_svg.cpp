#include "tuner/replay/replay_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

#include "tuner/base/si.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/curves.h"
#include "tuner/chart/linear_axis.h"
#include "tuner/replay/replay_text.h"

namespace rooftune {
namespace {

using namespace plot_style;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kPoints = 51;
constexpr double kWidth = 1000.0;
constexpr Box kMain{104.0, 76.0, 640.0, 400.0};
constexpr double kMainBottom = kMain.bottom() + 56.0;  // below its axis
constexpr HeadingPlace kHeading{
    .left = kMain.left, .room = kWidth - kMain.left - 20.0, .title = 30.0, .under = 50.0};
constexpr NameColumn kNames{.leader = 14.0, .sample = 26.0, .gap = 6.0, .page_right = kWidth - 8.0};
constexpr std::size_t kSmallColumns = 3;
constexpr double kSmallHeight = 150.0, kSmallLeft = 66.0, kSmallGap = 16.0;
constexpr double kSmallHead = 28.0, kSmallFoot = 30.0;
constexpr double kTop = 1.05;      // of the axis of scores
constexpr double kDeepest = -1.0;  // curves below are cut: they would press all others together

struct Series {
    std::string name, label;
    std::vector<double> curve;
};

std::string look_of(std::size_t strategy, double width) {
    return stroke(series_hue(strategy), width, series_dash(strategy));
}

std::string score_text(double score) {
    return std::isnan(score) ? "no score" : fmt::format("{:.2f}", score);
}

// The highest of -0.25, -0.5 and -1 with all curves above it and some room; -1 also where they go below.
double low_of(const std::vector<Series>& all) {
    double least = 0.0;
    for (const Series& s : all) {
        for (const double p : s.curve) least = std::isnan(p) ? least : std::min(least, p);
    }
    return least >= -0.22 ? -0.25 : least >= -0.45 ? -0.5 : kDeepest;
}

/// Shares of the budget and scores, as pixels of a panel.
struct Axes {
    LinearAxis share, score;
    Axes(const Box& area, double low)
        : share(0.0, 1.0, area.left, area.right()), score(low, kTop, area.bottom(), area.top) {}
};

void draw_axes(const ChartPanel& panel, const Axes& axes, bool small) {
    const double low = axes.score.low();
    for (const double score : {1.0, 0.75, 0.5, 0.25, 0.0, -0.25, -0.5, -0.75, -1.0}) {
        const bool end = score == 1.0 || score == 0.0;
        const bool half = std::fmod(score, 0.5) == 0.0;
        if (score < low || (!half && (small || low == kDeepest))) continue;
        panel.row(axes.score.at(score),
                  score == 1.0   ? "best 1"
                  : score == 0.0 ? "random 0"
                                 : fmt::format("{:g}", score),
                  end ? kEdgeLine : kGridLine);
    }
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        if (!small || std::fmod(share, 0.5) == 0.0) panel.column(axes.share.at(share), format_percent(share));
    }
    panel.left_edge();
    if (small) return;
    panel.name_x("share of the time budget", 40.0, 13.0);
    panel.name_y("score P(t)", panel.area().left - 76.0, 13.0);
}

void draw_curves(SvgCanvas& canvas, const Box& area, const Axes& axes, const std::vector<Series>& all,
                 double width) {
    for (std::size_t s = 0; s < all.size(); ++s) {
        std::vector<PixelPoint> points;
        for (std::size_t i = 0; i < all[s].curve.size(); ++i) {
            const double share = static_cast<double>(i) / static_cast<double>(kPoints - 1);
            points.push_back({axes.share.at(share), axes.score.unclamped(all[s].curve[i])});
        }
        canvas.path(0.0, 0.0, path_within(points, area.top, area.bottom()), look_of(s, width),
                    all[s].name + ": " + all[s].label);
    }
}

// Each with a piece of its line.
void draw_names(SvgCanvas& canvas, const Axes& axes, const std::vector<Series>& all) {
    std::vector<CurveName> names;
    for (std::size_t s = 0; s < all.size(); ++s) {
        const std::vector<double>& curve = all[s].curve;
        const auto last = std::find_if(curve.rbegin(), curve.rend(), [](double p) { return !std::isnan(p); });
        names.push_back({axes.score.at(last == curve.rend() ? axes.score.low() : *last),
                         all[s].name + ", " + all[s].label, "ink", look_of(s, 2.2)});
    }
    draw_curve_names(canvas, kMain, kNames, std::move(names));
}

// Where there are no curves: that, in the middle of the panel, and why, where there is room for it.
void draw_no_score(SvgCanvas& canvas, const Box& area, const std::string& why, bool small) {
    if (why.empty()) return;
    std::vector<std::string> lines{"no score"};
    if (!small) {
        constexpr double kColumn = 6.8;  // pixels of a letter, a little more than most take
        std::istringstream text(wrap(why, static_cast<int>((area.width - 40.0) / kColumn)));
        for (std::string line; std::getline(text, line);) lines.push_back(line);
    }
    const double x = area.left + 0.5 * area.width;
    double y = area.top + 0.5 * (area.height - kLineHeight * static_cast<double>(lines.size() - 1));
    for (const std::string& line : lines) {
        canvas.text_within(area.width - 8.0, x, y, line, Anchor::middle, {small ? kSmall : kFont, "ink halo"},
                           small ? why : "");
        y += kLineHeight;
    }
}

/// One panel with all its curves.
void draw_panel(SvgCanvas& canvas, const Box& area, const std::vector<Series>& all, bool small,
                const std::string& no_score) {
    const Axes axes(area, low_of(all));
    draw_axes(ChartPanel(canvas, area, small ? kSmall : kFont), axes, small);
    draw_curves(canvas, area, axes, all, small ? 1.4 : 2.2);
    if (!small) draw_names(canvas, axes, all);
    draw_no_score(canvas, area, no_score, small);
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

ChartDrawing draw_replay(const std::vector<Replay>& replays, const ReplayRules& rules) {
    const bool several = replays.size() > 1;
    SvgCanvas canvas;
    ChartDrawing drawing;
    const std::string title = several ? fmt::format("Strategies on {} recorded spaces", replays.size())
                                      : "Strategies on " + printable(replays.front().space);
    const std::string what = fmt::format(
        "Score over the time in which random sampling goes 95 % of the way from the median to the best; {} "
        "of each",
        format_plural(rules.runs, "run"));
    draw_heading(canvas, kHeading, title, what, title);
    const bool none =
        std::all_of(replays.begin(), replays.end(), [](const Replay& r) { return !r.no_score.empty(); });
    draw_panel(canvas, kMain, several ? mean_series(replays) : series_of(replays.front()), false,
               none ? replays.front().no_score : "");
    drawing.panels.push_back(kMain);
    double height = kMainBottom;
    for (std::size_t i = 0; several && i < replays.size(); ++i) {
        const double column = (kWidth - 2.0 * kSmallGap) / static_cast<double>(kSmallColumns);
        const double row = kSmallHead + kSmallHeight + kSmallFoot;
        const Box area{kSmallGap + column * static_cast<double>(i % kSmallColumns) + kSmallLeft,
                       kMainBottom + row * static_cast<double>(i / kSmallColumns) + kSmallHead,
                       column - kSmallLeft - kSmallGap, kSmallHeight};
        const std::string name = printable(replays[i].space);
        canvas.text_within(area.width, area.left, area.top - 8.0, name, Anchor::start, {kSmall, "ink"}, name);
        draw_panel(canvas, area, series_of(replays[i]), true, replays[i].no_score);
        drawing.panels.push_back(area);
        height = area.bottom() + kSmallFoot;
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
