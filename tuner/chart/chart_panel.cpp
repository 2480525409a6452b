#include "tuner/chart/chart_panel.h"

#include <fmt/format.h>

namespace rooftune {
namespace {

constexpr double kBesidePanel = 7.0;  // from the panel to the labels of rows
constexpr double kBelowPanel = 17.0;  // from the panel to the baseline of the labels of columns
constexpr double kHalfDigit = 0.35;   // of the size of a text: from the baseline to the middle of a digit

std::string tick_line(const Tick& tick, double minor) {
    return fmt::format("class=\"grid\" stroke-width=\"{}\"", tick.label.empty() ? minor : 1.0);
}

}  // namespace

ChartPanel::ChartPanel(SvgCanvas& canvas, const Box& area, double text_size)
    : canvas_(&canvas), area_(area), labels_{text_size, "faint"} {}

void ChartPanel::row(double y, std::string_view label, std::string_view style) const {
    canvas_->line(area_.left, y, area_.right(), y, style);
    canvas_->text(area_.left - kBesidePanel, y + kHalfDigit * labels_.size, label, Anchor::end, labels_);
}

void ChartPanel::column(double x, std::string_view label, std::string_view style) const {
    canvas_->line(x, area_.top, x, area_.bottom(), style);
    canvas_->text(x, area_.bottom() + kBelowPanel, label, Anchor::middle, labels_);
}

void ChartPanel::rows(const LogAxis& axis, std::string_view unit, double apart, double minor) const {
    for (const Tick& tick : axis.ticks(unit, apart))
        row(axis.at(tick.value), tick.label, tick_line(tick, minor));
}

void ChartPanel::columns(const LogAxis& axis, std::string_view unit, double apart, double minor) const {
    for (const Tick& tick : axis.ticks(unit, apart))
        column(axis.at(tick.value), tick.label, tick_line(tick, minor));
}

void ChartPanel::left_edge() const {
    canvas_->line(area_.left, area_.top, area_.left, area_.bottom(), plot_style::kEdgeLine);
}

void ChartPanel::bottom_edge() const {
    canvas_->line(area_.left, area_.bottom(), area_.right(), area_.bottom(), plot_style::kEdgeLine);
}

void ChartPanel::frame() const {
    canvas_->rectangle(area_.left, area_.top, area_.width, area_.height,
                       "class=\"frame\" stroke-width=\"1\"");
}

void ChartPanel::name_x(std::string_view text, double below, double size) const {
    canvas_->text(area_.left + 0.5 * area_.width, area_.bottom() + below, text, Anchor::middle,
                  {size, "ink"});
}

void ChartPanel::name_y(std::string_view text, double x, double size) const {
    canvas_->text(x, area_.top + 0.5 * area_.height, text, Anchor::middle, {size, "ink"}, 90.0);
}

void draw_heading(SvgCanvas& canvas, const HeadingPlace& place, std::string_view title,
                  std::string_view under, std::string_view tooltip) {
    canvas.text_within(place.room, place.left, place.title, title, Anchor::start,
                       {place.title_size, "ink", true}, tooltip);
    canvas.text_within(place.room, place.left, place.under, under, Anchor::start,
                       {place.under_size, "faint"});
}

}  // namespace rooftune
