#include "tuner/track/track_svg.h"

#include <fmt/format.h>

#include <algorithm>

#include "tuner/base/si.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/chart_panel.h"
#include "tuner/chart/linear_axis.h"
#include "tuner/track/track_text.h"

namespace rooftune {
namespace {

using namespace plot_style;
using namespace track;

constexpr double kWidth = 1000.0, kLeft = 60.0, kRight = 980.0;
constexpr double kHead = 46.0, kPanel = 130.0, kFoot = 34.0;  // of one row
constexpr double kMostStep = 90.0;

std::string tooltip(const Entry& e) {
    std::string text = short_revision(e.revision) + ", " + e.revision_date + ": ";
    text += e.measured() ? format_seconds(e.seconds.median) + ", " +
                               format_percent(e.fraction_of_roof_now()) + " of attainable"
                         : e.outcome;
    return printable(e.note.empty() ? text : text + "; " + e.note);
}

class Panel {
public:
    Panel(SvgCanvas& canvas, const KernelReport& kernel, double top)
        : canvas_(canvas),
          k_(kernel),
          area_{kLeft, top + kHead, kRight - kLeft, kPanel},
          y_(0.0, 1.0, area_.bottom(), area_.top) {
        const auto n = static_cast<double>(kernel.series.entries.size() - kernel.shown_from);
        step_ = std::min(kMostStep, (area_.width - 30.0) / std::max(1.0, n - 1.0));
    }

    void draw(std::string_view hue) const {
        frame();
        for (const Suspect& s : k_.suspects()) {
            const double x = s.before >= k_.shown_from ? 0.5 * (x_of(s.before) + x_of(s.at)) : kLeft;
            canvas_.line(x, area_.top, x, area_.bottom(),
                         "class=\"frame\" stroke-width=\"1\" stroke-dasharray=\"4 3\"");
        }
        std::vector<PixelPoint> points;
        for (std::size_t i = k_.shown_from; i < k_.series.entries.size(); ++i) {
            if (k_.series.entries[i].fraction_of_roof_now() > 0.0) points.push_back(at(i));
        }
        if (points.size() > 1)
            canvas_.polyline(points, false,
                             fmt::format("class=\"{} stroke\" fill=\"none\" stroke-width=\"1.6\"", hue));
        for (std::size_t i = k_.shown_from; i < k_.series.entries.size(); ++i) mark(i, hue);
    }

private:
    double x_of(std::size_t i) const { return kLeft + 15.0 + step_ * static_cast<double>(i - k_.shown_from); }
    PixelPoint at(std::size_t i) const {
        return {x_of(i), y_.at(k_.series.entries[i].fraction_of_roof_now())};
    }

    void frame() const {
        const HeadingPlace heading{kLeft, area_.width, area_.top - 24.0, area_.top - 8.0, 13.0, kFont};
        draw_heading(canvas_, heading, printable(k_.series.kernel),
                     "of attainable, on " + printable(k_.series.entries.back().machine_name) +
                         "; dashed: where it changed, for triage; crosses: failures");
        const ChartPanel panel(canvas_, area_, kFont);
        for (const double share : {0.0, 0.5, 1.0})
            panel.row(y_.at(share), fmt::format("{:.0f} %", 100.0 * share));
        label_ends();
    }

    // The revisions of the oldest and the newest entry, the first cut where they would meet.
    void label_ends() const {
        const std::vector<Entry>& entries = k_.series.entries;
        const std::size_t newest = entries.size() - 1;
        const bool several = newest > k_.shown_from;
        const double y = area_.bottom() + 17.0;
        const std::string last = short_revision(entries[newest].revision);
        const double left = std::max(kLeft, std::min(x_of(newest), kRight - pixel_width(last, kSmall)));
        canvas_.text_within(several ? left - kLeft - 8.0 : area_.width, kLeft, y,
                            short_revision(entries[k_.shown_from].revision), Anchor::start,
                            {kSmall, "faint"});
        if (several) canvas_.text(left, y, last, Anchor::start, {kSmall, "faint"});
    }

    void mark(std::size_t i, std::string_view hue) const {
        const Entry& e = k_.series.entries[i];
        if (e.fraction_of_roof_now() > 0.0) {
            canvas_.circle(at(i).x, at(i).y, 3.4, filled(hue), tooltip(e));
        } else if (!e.measured()) {
            canvas_.path(x_of(i), area_.bottom() - 8.0, "M-4 -4L4 4M-4 4L4 -4",
                         "class=\"frame\" stroke-width=\"1.6\"", tooltip(e));
        }
    }

    SvgCanvas& canvas_;
    const KernelReport& k_;
    Box area_;
    LinearAxis y_;
    double step_ = 0.0;
};

}  // namespace

std::string track_svg(const TrackReport& report) {
    SvgCanvas canvas;
    double top = 10.0;
    for (std::size_t i = 0; i < report.kernels.size(); ++i) {
        Panel(canvas, report.kernels[i], top).draw(series_hue(i));
        top += kHead + kPanel + kFoot;
    }
    return canvas.finish(kWidth, top, "Histories of kernels", "Fractions of attainable over revisions",
                         css());
}

}  // namespace rooftune
