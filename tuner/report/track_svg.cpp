#include "tuner/report/track_svg.h"

#include <fmt/format.h>

#include <algorithm>

#include "tuner/report/plot_style.h"
#include "tuner/report/si.h"
#include "tuner/report/svg_canvas.h"
#include "tuner/report/text_width.h"
#include "tuner/report/track_text.h"

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
        : canvas_(&canvas), k_(&kernel), top_(top + kHead), bottom_(top_ + kPanel) {
        const auto n = static_cast<double>(kernel.series.entries.size() - kernel.shown_from);
        step_ = std::min(kMostStep, (kRight - kLeft - 30.0) / std::max(1.0, n - 1.0));
    }

    void draw(std::string_view hue) const {
        frame();
        for (const Suspect& s : k_->suspects()) {
            const double x = s.before >= k_->shown_from ? 0.5 * (x_of(s.before) + x_of(s.at)) : kLeft;
            canvas_->line(x, top_, x, bottom_, "class=\"frame\" stroke-width=\"1\" stroke-dasharray=\"4 3\"");
        }
        std::vector<PixelPoint> points;
        for (std::size_t i = k_->shown_from; i < k_->series.entries.size(); ++i) {
            if (k_->series.entries[i].fraction_of_roof_now() > 0.0) points.push_back({x_of(i), y_of(i)});
        }
        if (points.size() > 1)
            canvas_->polyline(points, false,
                              fmt::format("class=\"{} stroke\" fill=\"none\" stroke-width=\"1.6\"", hue));
        for (std::size_t i = k_->shown_from; i < k_->series.entries.size(); ++i) mark(i, hue);
    }

private:
    double x_of(std::size_t i) const {
        return kLeft + 15.0 + step_ * static_cast<double>(i - k_->shown_from);
    }
    double y_of(std::size_t i) const {
        const double share = std::clamp(k_->series.entries[i].fraction_of_roof_now(), 0.0, 1.0);
        return bottom_ - share * kPanel;
    }

    void frame() const {
        const Entry& last = k_->series.entries.back();
        canvas_->text(kLeft, top_ - 24.0, cut_to_pixels(printable(k_->series.kernel), 13.0, kRight - kLeft),
                      Anchor::start, {13.0, "ink", true});
        canvas_->text(kLeft, top_ - 8.0,
                      cut_to_pixels("of attainable, on " + printable(last.machine_name) +
                                        "; dashed: where it changed, for triage; crosses: failures",
                                    kFont, kRight - kLeft),
                      Anchor::start, {kFont, "faint"});
        for (const double share : {0.0, 0.5, 1.0}) {
            const double y = bottom_ - share * kPanel;
            canvas_->line(kLeft, y, kRight, y, "class=\"grid\" stroke-width=\"1\"");
            canvas_->text(kLeft - 7.0, y + 0.35 * kFont, fmt::format("{:.0f} %", 100.0 * share), Anchor::end,
                          {kFont, "faint"});
        }
        label_ends();
    }

    // The revisions of the oldest and the newest entry, the first cut where they would meet.
    void label_ends() const {
        const std::size_t oldest = k_->shown_from;
        const std::size_t newest = k_->series.entries.size() - 1;
        const double y = bottom_ + 17.0;
        const std::string last = short_revision(k_->series.entries[newest].revision);
        const double at = std::max(kLeft, std::min(x_of(newest), kRight - pixel_width(last, kSmall)));
        const double room = newest > oldest ? at - kLeft - 8.0 : kRight - kLeft;
        canvas_->text(kLeft, y,
                      cut_to_pixels(short_revision(k_->series.entries[oldest].revision), kSmall, room),
                      Anchor::start, {kSmall, "faint"});
        if (newest > oldest) canvas_->text(at, y, last, Anchor::start, {kSmall, "faint"});
    }

    void mark(std::size_t i, std::string_view hue) const {
        const Entry& e = k_->series.entries[i];
        if (e.fraction_of_roof_now() > 0.0) {
            canvas_->circle(x_of(i), y_of(i), 3.4, fmt::format("class=\"{} fill\"", hue), tooltip(e));
        } else if (!e.measured()) {
            canvas_->path(x_of(i), bottom_ - 8.0, "M-4 -4L4 4M-4 4L4 -4",
                          "class=\"frame\" stroke-width=\"1.6\"", tooltip(e));
        }
    }

    SvgCanvas* canvas_;
    const KernelReport* k_;
    double top_, bottom_;
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
