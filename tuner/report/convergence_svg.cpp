#include "tuner/report/convergence_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/base/si.h"
#include "tuner/chart/curves.h"
#include "tuner/chart/linear_axis.h"
#include "tuner/chart/performance.h"

namespace rooftune {
namespace {

using namespace plot_style;

constexpr double kLeft = 104.0, kRight = 18.0, kTop = 30.0;
constexpr double kBest = 210.0, kExcluded = 96.0, kBetween = 40.0, kFoot = 48.0;
constexpr double kHeadroom = 1.12;  // above the highest curve, for what is written there
constexpr double kFarRoof = 2.0;    // a roof so many times higher would flatten the curve

/// A panel over evaluations: its frame and grid, and its values from zero.
struct Panel {
    SvgCanvas& canvas;
    ChartPanel chart;
    LinearAxis x, y;

    Panel(SvgCanvas& onto, const Box& area, double most_x, double most_y)
        : canvas(onto),
          chart(onto, area),
          x(0.0, most_x, area.left, area.right()),
          y(0.0, most_y, area.bottom(), area.top) {}

    void draw_frame(const char* head, bool with_numbers) const {
        const Box& area = chart.area();
        canvas.text(area.left, area.top - 9.0, head, Anchor::start, {kFont, "ink", true});
        for (const double tick : round_ticks(x.high(), area.width > 500.0 ? 10 : 5)) {
            if (tick != std::floor(tick)) continue;
            chart.column(x.at(tick),
                         with_numbers ? format_count(static_cast<std::uint64_t>(tick)) : std::string());
        }
        chart.frame();
    }

    /// A value holds until the next evaluation that changed it. Returns where the curve ends.
    PixelPoint draw_steps(const std::vector<ConvergencePoint>& convergence, const std::vector<double>& values,
                          const std::string& style, const char* tooltip) const {
        std::vector<PixelPoint> points;
        for (std::size_t i = 0; i < convergence.size(); ++i)
            points.push_back({x.at(convergence[i].evaluations), y.at(values[i])});
        canvas.polyline(steps_through(points), false, style, tooltip);
        return points.back();
    }
};

void draw_best(SvgCanvas& canvas, const TuneResult& r, const Box& area, double most_x) {
    const Performance performance{r.flops_nominal};
    std::vector<double> speeds;
    for (const ConvergencePoint& p : r.convergence) speeds.push_back(performance.of(p.best_seconds));
    const double highest = *std::max_element(speeds.begin(), speeds.end());
    const double roof = performance.of(r.problem_roof_seconds);
    const bool with_roof = roof > 0.0 && roof < kFarRoof * highest;
    const Panel panel(canvas, area, most_x, kHeadroom * std::max(highest, with_roof ? roof : 0.0));
    panel.draw_frame(r.flops_nominal > 0.0 ? "Performance of the best so far" : "Speed of the best so far",
                     false);
    for (const double tick : round_ticks(panel.y.high(), 5))
        panel.chart.row(panel.y.at(tick), performance.text(tick));
    if (with_roof) {
        const double y = panel.y.at(roof);
        canvas.line(area.left, y, area.right(), y, stroke(kGreyHue, 1.4, "6 4"));
        canvas.text(area.right() - 6.0, y - 5.0, "the problem's roof: " + performance.text(roof), Anchor::end,
                    {kSmall, "grey fill halo"});
    }
    const PixelPoint end =
        panel.draw_steps(r.convergence, speeds, stroke(series_hue(1), 2.2), "the best so far");
    canvas.text(end.x - 6.0, end.y + 1.6 * kSmall, "the best so far: " + performance.text(speeds.back()),
                Anchor::end, {kSmall, "series1 fill halo", true});
}

void draw_excluded(SvgCanvas& canvas, const TuneResult& r, const Box& area, double most_x) {
    const Panel panel(canvas, area, most_x, 1.0);
    panel.draw_frame("Share of the space excluded by proof", true);
    for (const double share : {0.0, 0.5, 1.0}) panel.chart.row(panel.y.at(share), format_percent(share));
    std::vector<double> shares;
    for (const ConvergencePoint& p : r.convergence) shares.push_back(p.excluded);
    const double last = shares.back();
    const PixelPoint end =
        panel.draw_steps(r.convergence, shares, stroke(series_hue(0), 2.0), "share of the space excluded");
    canvas.text(end.x - 6.0, last > 0.5 ? end.y + 1.6 * kSmall : end.y - 0.6 * kSmall,
                "excluded: " + format_percent(last), Anchor::end, {kSmall, "series0 fill halo", true});
    panel.chart.name_x("variants evaluated", 38.0, kFont);
}

}  // namespace

std::string convergence_text(const TuneResult& r) {
    if (r.convergence.empty()) return "";
    constexpr double kNear = 1.03;
    const ConvergencePoint& end = r.convergence.back();
    const double best = end.best_seconds;
    const auto near = std::find_if(r.convergence.begin(), r.convergence.end(),
                                   [&](const ConvergencePoint& p) { return p.best_seconds <= kNear * best; });
    std::string text = fmt::format("{} in all.", format_plural(end.evaluations, "evaluation"));
    if (near != r.convergence.end()) {
        text += fmt::format(" The best so far was within {} of the winner's time after {}.",
                            format_percent(kNear - 1.0), format_plural(near->evaluations, "evaluation"));
    }
    const auto half = std::find_if(r.convergence.begin(), r.convergence.end(),
                                   [](const ConvergencePoint& p) { return p.excluded >= 0.5; });
    if (half != r.convergence.end()) {
        text += fmt::format(" Half of the space was excluded after {}",
                            format_count(static_cast<std::uint64_t>(half->evaluations)));
        text +=
            end.excluded >= 0.5
                ? fmt::format(", {} at the end.", format_percent(end.excluded))
                : fmt::format(
                      "; at the end it was {}, since the winner's interval grew, a ceiling rose or a term "
                      "was demoted.",
                      format_percent(end.excluded));
    } else {
        text += fmt::format(" At the end {} of the space was excluded.", format_percent(end.excluded));
    }
    text += " What the finals and the audit measured counts as evaluations too.";
    // Each of these rates a time of another minute, and only the last one is shown elsewhere.
    const bool in_finals = r.naive_ratio.slots + r.default_ratio.slots + r.runner_up_ratio.slots > 0;
    if (in_finals && r.convergence.size() > 1 && end.best_seconds == r.seconds.median)
        text += " The last time is the winner's in the finals, those before it are of the search.";
    return text;
}

ChartDrawing draw_convergence(const TuneResult& r, double width, const std::string& id) {
    ChartDrawing drawing;
    if (r.convergence.empty()) return drawing;
    width = std::max(420.0, width);
    const double inner = width - kLeft - kRight;
    const double most = std::max(1, r.convergence.back().evaluations);
    const Box best{kLeft, kTop, inner, kBest};
    const Box excluded{kLeft, best.bottom() + kBetween, inner, kExcluded};
    SvgCanvas canvas;
    draw_best(canvas, r, best, most);
    draw_excluded(canvas, r, excluded, most);
    drawing.panels = {best, excluded};
    drawing.page = {0.0, 0.0, width, excluded.bottom() + kFoot};
    drawing.texts = canvas.texts();
    drawing.svg =
        canvas.embedded(width, drawing.page.height, "The search as it went", convergence_text(r), id);
    return drawing;
}

}  // namespace rooftune
