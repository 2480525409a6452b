#include "tuner/ladder/ladder_svg.h"

#include <algorithm>

#include "tuner/base/text_width.h"
#include "tuner/chart/performance.h"
#include "tuner/formats/setting_words.h"
#include "tuner/ladder/ladder_text.h"

namespace rooftune {
namespace {

using namespace plot_style;
using ladder::Result;
using ladder::Step;
using ladder::StepState;
using ladder::Timing;

constexpr double kFileWidth = 1000.0, kLeast = 420.0, kWide = 640.0;
constexpr double kNames = 204.0, kGains = 142.0, kWorths = 138.0, kEdge = 14.0;
constexpr double kBar = 15.0, kFoot = 52.0;
constexpr std::string_view kInherited = "class=\"grey fill\" fill-opacity=\"0.28\"";
constexpr std::string_view kGained = "class=\"series0 fill\"";
constexpr std::string_view kLost = "class=\"series1 stroke\" stroke-width=\"1.4\" stroke-dasharray=\"3 2\"";
constexpr std::string_view kOpen = "class=\"grey stroke\" stroke-width=\"1.2\" stroke-dasharray=\"5 3\"";

Performance performance_of(const Result& r) {
    return {r.subject.flops_nominal};
}

double roof_of(const Result& r) {
    return performance_of(r).of(r.roof_now_seconds > 0.0 ? r.roof_now_seconds : r.roof_seconds);
}

/// What a row shows: from where its bar grew to where it is.
struct Row {
    std::string name{}, gain{}, worth{}, tooltip{};
    double before = 0.0, now = 0.0, low = 0.0, high = 0.0;  ///< speeds; 0: none
    bool strong = true;                                     ///< its gain is a figure, not a remark
    bool open = false;                                      ///< what is left up to the roof
};

std::vector<Row> rows_of(const Result& r) {
    std::vector<Row> rows;
    const Performance performance = performance_of(r);
    double reached = performance.of(r.bottom_time.median);
    const auto timed = [&](Row row, const Timing& time) {
        row.now = performance.of(time.median);
        row.low = performance.of(time.high);
        row.high = performance.of(time.low);
        return row;
    };
    Row bottom{r.bottom_name, r.bottom_failure.empty() ? "" : "no time", "", r.bottom_failure};
    bottom.strong = false;
    rows.push_back(timed(bottom, r.bottom_time));
    rows.back().before = rows.back().now;
    for (const Step& step : r.steps) {
        Row row{step.name, gain_text(step.gain), "", step.change};
        row.before = reached;
        if (step.worth) row.worth = step.worth->gain ? gain_text(step.worth->gain) : "no time";
        if (step.state == StepState::unchanged) {
            row.gain = "nothing to change";
            row.tooltip = row.gain;
            row.strong = false;
            row.now = row.before;
        } else if (step.state == StepState::failed) {
            row.gain = "no time";
            row.tooltip = step.failure;
            row.strong = false;
        } else {
            row = timed(row, step.time);
        }
        if (step.time.median > 0.0) reached = performance.of(step.time.median);
        rows.push_back(std::move(row));
    }
    const double roof = roof_of(r);
    if (roof > reached && reached > 0.0) {
        Row left{"left", "at most " + format_ratio(roof / reached), "",
                 "what is left up to what is attainable"};
        left.before = reached;
        left.strong = false;
        left.open = true;
        rows.push_back(left);
    }
    return rows;
}

struct Layout {
    double width, row_height, bar_top;  ///< bar_top within a row
    bool beside;                        ///< names stand beside the bars
    Box area;
};

Layout layout_of(double width, std::size_t rows) {
    Layout l{};
    l.width = width;
    l.beside = width >= kWide;
    l.row_height = l.beside ? 25.0 : 43.0;
    l.bar_top = l.beside ? 5.0 : 23.0;
    const double left = l.beside ? kNames : kEdge;
    const double right = l.beside ? kGains + kWorths + kEdge : kEdge;
    l.area = {left, 74.0, width - left - right, l.row_height * static_cast<double>(rows) + 6.0};
    return l;
}

LogAxis axis_of(const std::vector<Row>& rows, double roof, const Box& area) {
    double low = 0.0, high = roof;
    for (const Row& row : rows) {
        for (const double value : {row.now, row.low, row.high}) {
            if (!(value > 0.0)) continue;
            low = low > 0.0 ? std::min(low, value) : value;
            high = std::max(high, value);
        }
    }
    return {low / 1.6, high * 1.12, area.left, area.right()};
}

void draw_frame(SvgCanvas& canvas, const Result& r, const Layout& l, const LogAxis& axis) {
    const Box& area = l.area;
    const ChartPanel panel(canvas, area);
    for (const Tick& tick : axis.ticks(performance_of(r).unit(), 88.0)) {
        // A label under the corner would leave the page on a phone.
        const double x = axis.at(tick.value), half = 0.5 * pixel_width(tick.label, kSmall);
        panel.column(x, x - half < 2.0 || x + half > l.width - 2.0 ? "" : tick.label);
    }
    panel.bottom_edge();
    if (!l.beside) return;
    const double gains = area.right() + 10.0;
    canvas.text(gains, area.top - 9.0, "gain", Anchor::start, {kSmall, "faint", true});
    canvas.text(gains + kGains, area.top - 9.0, "still worth", Anchor::start, {kSmall, "faint", true});
}

void draw_roof(SvgCanvas& canvas, const Result& r, const Layout& l, const LogAxis& axis) {
    const double roof = roof_of(r);
    if (!(roof > 0.0)) return;
    const double x = axis.at(roof);
    const std::string rate = performance_of(r).text(roof);
    canvas.line(x, l.area.top - 4.0, x, l.area.bottom(), stroke(kBandwidthHue, 2.0),
                "what is attainable now: " + rate);
    const std::string text = cut_to_pixels("attainable now: " + rate, kSmall, l.area.width);
    const bool middle = x - pixel_width(text, kSmall) < l.area.left;
    canvas.text(middle ? l.area.right() : x, l.area.top - 9.0, text, Anchor::end,
                {kSmall, "bandwidth fill", true});
}

void draw_bar(SvgCanvas& canvas, const Row& row, double top, const LogAxis& axis, double roof) {
    const double left = axis.at(axis.low());
    const double before = row.before > 0.0 ? axis.at(row.before) : left;
    if (!(row.now > 0.0)) {
        // What is left to the roof, or a step that gives no time.
        if (row.before > 0.0) canvas.rectangle(left, top, before - left, kBar, kInherited, row.tooltip);
        if (row.open)
            canvas.rectangle(before, top, std::max(0.0, axis.at(roof) - before), kBar, kOpen, row.tooltip);
        return;
    }
    const double now = axis.at(row.now);
    canvas.rectangle(left, top, std::min(before, now) - left, kBar, kInherited, row.tooltip);
    if (now > before) canvas.rectangle(before, top, now - before, kBar, kGained, row.tooltip);
    if (now < before) canvas.rectangle(now, top, before - now, kBar, kLost, row.tooltip);
    if (row.low > 0.0 && row.high > row.low) {
        const double y = top + 0.5 * kBar;
        const double x1 = axis.at(row.low), x2 = axis.at(row.high);
        canvas.line(x1, y, x2, y, "class=\"type0 stroke\" stroke-width=\"1.4\"");
        for (const double x : {x1, x2})
            canvas.line(x, y - 4.0, x, y + 4.0, "class=\"type0 stroke\" stroke-width=\"1.4\"");
    }
}

void draw_row(SvgCanvas& canvas, const Row& row, const Layout& l, std::size_t place, const LogAxis& axis,
              double roof) {
    const double top = l.area.top + 3.0 + l.row_height * static_cast<double>(place);
    draw_bar(canvas, row, top + l.bar_top, axis, roof);
    const TextStyle name{kFont, "ink", false}, figure{kFont, row.strong ? "ink" : "faint", row.strong};
    if (l.beside) {
        const double line = top + l.bar_top + 0.5 * kBar + 0.36 * kFont;
        const double right = l.area.right() + 10.0;
        canvas.text_within(l.area.left - 12.0, l.area.left - 9.0, line, row.name, Anchor::end, name,
                           row.tooltip);
        canvas.text_within(kGains - 6.0, right, line, row.gain, Anchor::start, figure);
        canvas.text_within(kWorths, right + kGains, line, row.worth, Anchor::start, {kFont, "ink"});
        return;
    }
    const double line = top + l.bar_top - 6.0, half = 0.5 * l.area.width - 4.0;
    canvas.text_within(half, l.area.left, line, row.name, Anchor::start, name, row.tooltip);
    // The roof's line may pass behind it.
    const TextStyle haloed{kFont, row.strong ? "ink halo" : "faint halo", row.strong};
    canvas.text_within(half, l.area.right(), line, row.gain, Anchor::end, haloed);
}

std::string heading(const Result& r) {
    return "Ladder: " + printable(r.subject.title) + setting_words(r.subject.backend, r.subject.state);
}

ChartDrawing drawn(const Result& r, double width, SvgCanvas& canvas) {
    ChartDrawing drawing;
    const std::vector<Row> rows = rows_of(r);
    if (std::none_of(rows.begin(), rows.end(), [](const Row& row) { return row.now > 0.0; })) return drawing;
    width = std::max(kLeast, width);
    const Layout l = layout_of(width, rows.size());
    const double roof = roof_of(r);
    const LogAxis axis = axis_of(rows, roof, l.area);
    const HeadingPlace place{kEdge, width - 2.0 * kEdge, 24.0, 43.0, 15.0, kSmall};
    draw_heading(canvas, place, heading(r),
                 r.whole ? "from " + r.bottom_name + " to the best variant: " + gain_text(r.whole) : "");
    draw_frame(canvas, r, l, axis);
    draw_roof(canvas, r, l, axis);
    for (std::size_t i = 0; i < rows.size(); ++i) draw_row(canvas, rows[i], l, i, axis, roof);
    ChartPanel(canvas, l.area).name_x("performance, " + std::string(performance_of(r).unit()), 40.0, kSmall);
    drawing.panels = {l.area};
    drawing.page = {0.0, 0.0, width, l.area.bottom() + kFoot};
    drawing.texts = canvas.texts();
    return drawing;
}

std::string description(const Result& r) {
    std::string text;
    for (const std::string& sentence : ladder_sentences(r)) text += (text.empty() ? "" : " ") + sentence;
    return text.empty() ? heading(r) : text;
}

}  // namespace

ChartDrawing draw_ladder(const Result& r, double width, const std::string& id) {
    SvgCanvas canvas;
    ChartDrawing drawing = drawn(r, width, canvas);
    if (drawing.page.width > 0.0)
        drawing.svg =
            canvas.embedded(drawing.page.width, drawing.page.height, heading(r), description(r), id);
    return drawing;
}

std::string ladder_svg(const Result& r) {
    SvgCanvas canvas;
    const ChartDrawing drawing = drawn(r, kFileWidth, canvas);
    const bool empty = !(drawing.page.width > 0.0);
    if (empty)
        canvas.text(kEdge, 24.0, "No variant of this ladder gives a time", Anchor::start, {15.0, "ink"});
    return canvas.finish(empty ? kLeast : drawing.page.width, empty ? 48.0 : drawing.page.height, heading(r),
                         description(r), css());
}

}  // namespace rooftune
