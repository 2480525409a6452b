#include "tuner/track/compare_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/base/percent.h"
#include "tuner/base/si.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/linear_axis.h"
#include "tuner/measure/statistics.h"
#include "tuner/track/compare_text.h"

namespace rooftune {
namespace {

using namespace plot_style;
using namespace track;

constexpr double kPage = 1000.0, kMargin = 16.0;
constexpr double kStripsLeft = 270.0,
                 kStripsRight = 890.0;  // of a panel; names stand left of it, medians right
constexpr double kAbove = 58.0, kRow = 28.0, kBelow = 62.0;
constexpr double kSpread = 8.0;           // of dots above and below the middle of their row, pixels
constexpr double kDot = 2.6, kBar = 2.6;  // radius, and the width of lines
constexpr double kNarrowest = 0.01;       // range of the axis, of the median of A
constexpr double kLeastSpread = 0.002;    // of turns that are all but equal, of the median of A
constexpr int kTicks = 8;

// Where the n-th dot stands within its row, −1 to 1: multiples of the golden ratio, so that neighbours lie
// apart and every drawing of the same turns is the same.
double jitter(std::size_t turn) {
    constexpr double kGolden = 0.6180339887498949;
    const double multiple = kGolden * static_cast<double>(turn + 1);
    return 2.0 * (multiple - std::floor(multiple)) - 1.0;
}

// What the axis shows, as multiples of the median of A.
struct Range {
    double low = 1.0, high = 1.0;
};

// From the first turn that is not far out to the last, by Tukey's outer fences: a turn that somebody
// disturbed must not press all others into a line.
void widen(Range& range, std::vector<double> times, double unit) {
    std::sort(times.begin(), times.end());
    const double lower = times[times.size() / 4], upper = times[3 * times.size() / 4];
    const double reach = 3.0 * std::max(upper - lower, kLeastSpread * unit);
    for (const double t : times) {
        if (t < lower - reach || t > upper + reach) continue;
        range.low = std::min(range.low, t / unit);
        range.high = std::max(range.high, t / unit);
    }
}

Range range_of(const SampleGroup& group, double unit) {
    Range range;
    for (const ArmSamples& arm : group.arms) {
        if (!arm.times.empty()) widen(range, arm.times, unit);
    }
    const double shown = range.high - range.low;
    const double more = 0.5 * std::max(0.0, kNarrowest - shown) + 0.03 * shown;
    return {range.low - more, range.high + more};
}

class Strips {
public:
    Strips(SvgCanvas& canvas, const SampleGroup& group, double top)
        : canvas_(canvas),
          group_(group),
          area_{kStripsLeft, top + kAbove, kStripsRight - kStripsLeft,
                kRow * static_cast<double>(group.arms.size())},
          unit_(median(group.arms.front().times)),
          range_(range_of(group, unit_)),
          x_(range_.low, range_.high, area_.left, area_.right()) {}

    Box draw() const {
        const HeadingPlace heading{kMargin, 0.9 * kPage, area_.top - 34.0, area_.top - 16.0, 14.0, kFont};
        draw_heading(
            canvas_, heading, printable(group_.title),
            "a dot a turn; a bar from end to end of the median's 95 % interval, a tick at the median; "
            "an arrow for turns far out",
            printable(group_.title));
        const ChartPanel panel(canvas_, area_, kSmall);
        columns(panel);
        panel.frame();
        panel.name_x("time over the median of A, which takes " + value_text(unit_, group_.printed), 40.0,
                     kFont);
        for (std::size_t i = 0; i < group_.arms.size(); ++i) row(i);
        return area_;
    }

private:
    // Ticks in round steps from the median of A, which has one itself.
    void columns(const ChartPanel& panel) const {
        const double shown = range_.high - range_.low;
        const std::vector<double> ticks = round_ticks(shown, kTicks);
        // Per cent are written with one decimal: a finer step would have labels that are equal.
        const double step = std::max(0.001, ticks.size() > 1 ? ticks[1] : shown);
        for (double n = std::ceil((range_.low - 1.0) / step); 1.0 + n * step <= range_.high; n += 1.0)
            panel.column(x_.at(1.0 + n * step), n == 0.0 ? "A" : percent_change(n * step),
                         n == 0.0 ? kEdgeLine : kGridLine);
    }

    void row(std::size_t i) const {
        const ArmSamples& arm = group_.arms[i];
        const double y = area_.top + kRow * (static_cast<double>(i) + 0.5);
        const double baseline = y + 0.35 * kFont;
        const std::string name = printable(arm.letter + "  " + arm.name);
        canvas_.text_within(kStripsLeft - 2.0 * kMargin, kMargin, baseline, name, Anchor::start,
                            {kFont, "ink"}, name);
        if (arm.times.empty()) {
            canvas_.text(kStripsLeft + 12.0, baseline, "not measured", Anchor::start, {kSmall, "faint"});
            return;
        }
        const TimeInterval time = interval_of_values(arm.times);
        canvas_.text(kStripsRight + 10.0, baseline, value_text(time.median, group_.printed), Anchor::start,
                     {kSmall, "ink"});
        const std::string_view hue = series_hue(i);
        for (std::size_t turn = 0; turn < arm.times.size(); ++turn) dot(arm, turn, y, hue);
        const std::string interval =
            fmt::format("{}: median {}, [{}, {}]", arm.letter, value_text(time.median, group_.printed),
                        value_text(time.low, group_.printed), value_text(time.high, group_.printed));
        const double middle = x_.at(time.median / unit_);
        canvas_.line(x_.at(time.low / unit_), y, x_.at(time.high / unit_), y, stroke(hue, kBar), interval);
        canvas_.line(middle, y - 0.38 * kRow, middle, y + 0.38 * kRow, stroke(hue, kBar), interval);
    }

    void dot(const ArmSamples& arm, std::size_t turn, double y, std::string_view hue) const {
        const double over = arm.times[turn] / unit_;
        const std::string tooltip =
            fmt::format("{}, turn {}: {}", arm.letter, turn + 1, value_text(arm.times[turn], group_.printed));
        const double at = y + kSpread * jitter(turn);
        if (over < range_.low) {
            canvas_.path(area_.left + 7.0, at, "M0 -3L-5 0L0 3Z", filled(hue), tooltip);
        } else if (over > range_.high) {
            canvas_.path(area_.right() - 7.0, at, "M0 -3L5 0L0 3Z", filled(hue), tooltip);
        } else {
            canvas_.circle(x_.at(over), at, kDot, std::string(filled(hue)) + " fill-opacity=\"0.6\"",
                           tooltip);
        }
    }

    SvgCanvas& canvas_;
    const SampleGroup& group_;
    Box area_;
    double unit_;
    Range range_;
    LinearAxis x_;
};

// Without what no clock shows: an arm that gave it has ended there.
SampleGroup possible_ones(SampleGroup group) {
    for (ArmSamples& arm : group.arms)
        std::erase_if(arm.times, [](double t) { return !std::isfinite(t) || t <= 0.0; });
    return group;
}

}  // namespace

ChartDrawing draw_comparison(const CompareReport& report) {
    ChartDrawing drawing;
    SvgCanvas canvas;
    double top = 10.0;
    for (const Comparison& c : report.comparisons) {
        if (!c.samples || c.samples->arms.empty()) continue;
        const SampleGroup group = possible_ones(*c.samples);
        if (group.arms.front().times.empty()) continue;
        const Strips strips(canvas, group, top);
        drawing.panels.push_back(strips.draw());
        top = drawing.panels.back().bottom() + kBelow;
    }
    if (drawing.panels.empty()) {
        canvas.text(kMargin, top + 20.0, "Nothing was measured.", Anchor::start, {kFont, "ink"});
        top += 40.0;
    }
    drawing.page = {0.0, 0.0, kPage, top};
    drawing.texts = canvas.texts();
    drawing.svg = canvas.finish(kPage, top, "Turns of the arms of a comparison",
                                "Strips of dots, one a turn, with medians and their intervals", css());
    return drawing;
}

}  // namespace rooftune
