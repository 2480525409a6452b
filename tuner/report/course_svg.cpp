#include "tuner/report/course_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/report/phrases.h"
#include "tuner/report/plot_style.h"
#include "tuner/report/si.h"
#include "tuner/report/text_width.h"

namespace rooftune {
namespace {

using namespace plot_style;

constexpr double kLeft = 104.0, kRight = 18.0, kTop = 30.0;
constexpr double kBest = 210.0, kExcluded = 96.0, kBetween = 40.0, kFoot = 48.0;
constexpr double kHeadroom = 1.12;  // above the highest curve, for what is written there
constexpr double kFarRoof = 2.0;    // a roof so many times higher would flatten the curve

/// flop/s, or repetitions a second of a kernel without flops.
double speed(const TuneResult& r, double seconds) {
    if (!(seconds > 0.0) || !std::isfinite(seconds)) return 0.0;
    return (r.flops_nominal > 0.0 ? r.flops_nominal : 1.0) / seconds;
}

std::string speed_text(const TuneResult& r, double value) {
    return format_si(value, r.flops_nominal > 0.0 ? "flop/s" : "/s");
}

struct Panel {
    Box area;
    double most_x = 1.0, most_y = 1.0;
    PixelPoint at(double x, double y) const {
        return {area.left + area.width * std::clamp(x / most_x, 0.0, 1.0),
                area.top + area.height * (1.0 - std::clamp(y / most_y, 0.0, 1.0))};
    }
};

/// A value holds until the next evaluation that changed it.
std::vector<PixelPoint> steps(const Panel& panel, const std::vector<CoursePoint>& course,
                              const std::vector<double>& values) {
    std::vector<PixelPoint> points;
    for (std::size_t i = 0; i < course.size(); ++i) {
        if (i > 0) points.push_back(panel.at(course[i].evaluations, values[i - 1]));
        points.push_back(panel.at(course[i].evaluations, values[i]));
    }
    return points;
}

void draw_frame(SvgCanvas& canvas, const Panel& panel, bool with_numbers) {
    const double bottom = panel.area.top + panel.area.height;
    const int most = panel.area.width > 500.0 ? 10 : 5;
    for (const double tick : round_ticks(panel.most_x, most)) {
        if (tick != std::floor(tick)) continue;
        const double x = panel.at(tick, 0.0).x;
        canvas.line(x, panel.area.top, x, bottom, "class=\"grid\" stroke-width=\"1\"");
        if (with_numbers)
            canvas.text(x, bottom + 17.0, format_count(static_cast<std::uint64_t>(tick)), Anchor::middle,
                        {kSmall, "faint"});
    }
    canvas.rectangle(panel.area.left, panel.area.top, panel.area.width, panel.area.height,
                     "class=\"frame\" stroke-width=\"1\"");
}

void label_level(SvgCanvas& canvas, const Panel& panel, double value, const std::string& text) {
    const PixelPoint p = panel.at(0.0, value);
    canvas.line(panel.area.left, p.y, panel.area.left + panel.area.width, p.y,
                "class=\"grid\" stroke-width=\"1\"");
    canvas.text(panel.area.left - 7.0, p.y + 0.35 * kSmall, text, Anchor::end, {kSmall, "faint"});
}

void draw_best(SvgCanvas& canvas, const TuneResult& r, Panel& panel) {
    std::vector<double> speeds;
    for (const CoursePoint& p : r.course) speeds.push_back(speed(r, p.best_seconds));
    const double highest = *std::max_element(speeds.begin(), speeds.end());
    const double roof = speed(r, r.problem_roof_seconds);
    const bool with_roof = roof > 0.0 && roof < kFarRoof * highest;
    panel.most_y = kHeadroom * std::max(highest, with_roof ? roof : 0.0);
    draw_frame(canvas, panel, false);
    for (const double tick : round_ticks(panel.most_y, 5))
        label_level(canvas, panel, tick, speed_text(r, tick));
    if (with_roof) {
        const PixelPoint p = panel.at(0.0, roof);
        canvas.line(
            panel.area.left, p.y, panel.area.left + panel.area.width, p.y,
            fmt::format("class=\"{} stroke\" stroke-width=\"1.4\" stroke-dasharray=\"6 4\"", kGreyHue));
        canvas.text(panel.area.left + panel.area.width - 6.0, p.y - 5.0,
                    "the problem's roof: " + speed_text(r, roof), Anchor::end, {kSmall, "grey fill halo"});
    }
    const std::string look = fmt::format("class=\"{} stroke\" stroke-width=\"2.2\"", series_hue(1));
    canvas.polyline(steps(panel, r.course, speeds), false, look, "the best so far");
    const PixelPoint end = panel.at(r.course.back().evaluations, speeds.back());
    const std::string text = "the best so far: " + speed_text(r, speeds.back());
    canvas.text(std::min(end.x, panel.area.left + panel.area.width) - 6.0, end.y + 1.6 * kSmall, text,
                Anchor::end, {kSmall, "series1 fill halo", true});
}

void draw_excluded(SvgCanvas& canvas, const TuneResult& r, const Panel& panel) {
    draw_frame(canvas, panel, true);
    for (const double share : {0.0, 0.5, 1.0}) label_level(canvas, panel, share, format_percent(share));
    std::vector<double> shares;
    for (const CoursePoint& p : r.course) shares.push_back(p.excluded);
    const std::string look = fmt::format("class=\"{} stroke\" stroke-width=\"2\"", series_hue(0));
    canvas.polyline(steps(panel, r.course, shares), false, look, "share of the space excluded");
    const double last = shares.back();
    const PixelPoint end = panel.at(r.course.back().evaluations, last);
    canvas.text(end.x - 6.0, last > 0.5 ? end.y + 1.6 * kSmall : end.y - 0.6 * kSmall,
                "excluded: " + format_percent(last), Anchor::end, {kSmall, "series0 fill halo", true});
}

}  // namespace

std::vector<double> round_ticks(double most, int count) {
    std::vector<double> ticks{0.0};
    if (!(most > 0.0) || !std::isfinite(most)) return ticks;
    const double least = most / std::max(1, count);
    const double decade = std::pow(10.0, std::floor(std::log10(least)));
    double step = 10.0 * decade;
    for (const double m : {5.0, 2.0, 1.0}) {
        if (m * decade >= least * (1.0 - 1e-9)) step = m * decade;
    }
    for (int i = 1; i * step <= most * (1.0 + 1e-9); ++i) ticks.push_back(i * step);
    return ticks;
}

std::string course_text(const TuneResult& r) {
    if (r.course.empty()) return "";
    constexpr double kNear = 1.03;
    const CoursePoint& end = r.course.back();
    const double best = end.best_seconds;
    const auto near = std::find_if(r.course.begin(), r.course.end(),
                                   [&](const CoursePoint& p) { return p.best_seconds <= kNear * best; });
    std::string text =
        fmt::format("{} in all.", format_plural(static_cast<std::uint64_t>(end.evaluations), "evaluation"));
    if (near != r.course.end()) {
        text += fmt::format(" The best so far was within {} of the winner's time after {}.",
                            format_percent(kNear - 1.0),
                            format_plural(static_cast<std::uint64_t>(near->evaluations), "evaluation"));
    }
    const auto half = std::find_if(r.course.begin(), r.course.end(),
                                   [](const CoursePoint& p) { return p.excluded >= 0.5; });
    if (half != r.course.end()) {
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
    return text + " What the finals and the audit measured counts as evaluations too.";
}

CourseDrawing draw_course(const TuneResult& r, double width, const std::string& id) {
    CourseDrawing drawing;
    if (r.course.empty()) return drawing;
    width = std::max(420.0, width);
    const double inner = width - kLeft - kRight;
    const double most = std::max(1, r.course.back().evaluations);
    Panel best{{kLeft, kTop, inner, kBest}, most, 1.0};
    const Panel excluded{{kLeft, kTop + kBest + kBetween, inner, kExcluded}, most, 1.0};
    SvgCanvas canvas;
    const auto head = [&](const Panel& panel, const char* text) {
        canvas.text(panel.area.left, panel.area.top - 9.0, text, Anchor::start, {kFont, "ink", true});
    };
    head(best, r.flops_nominal > 0.0 ? "Performance of the best so far" : "Speed of the best so far");
    draw_best(canvas, r, best);
    head(excluded, "Share of the space excluded by proof");
    draw_excluded(canvas, r, excluded);
    const double bottom = excluded.area.top + excluded.area.height;
    canvas.text(kLeft + 0.5 * inner, bottom + 38.0, "variants evaluated", Anchor::middle, {kFont, "ink"});
    drawing.panels = {best.area, excluded.area};
    drawing.page = {0.0, 0.0, width, bottom + kFoot};
    drawing.texts = canvas.texts();
    drawing.svg = canvas.embedded(width, drawing.page.height, "The search as it went", course_text(r), id);
    return drawing;
}

}  // namespace rooftune
