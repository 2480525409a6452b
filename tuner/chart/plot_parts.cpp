#include "tuner/chart/plot_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "tuner/base/si.h"
#include "tuner/chart/plot_marks.h"

namespace rooftune {
namespace {

/// What a reader who points at a mark is told, an attribute for each line.
std::string facts_of(const RooflinePlot& plot, const PlotMark& mark) {
    std::string text;
    const auto fact = [&](std::string_view name, const std::string& value) {
        if (!value.empty()) text += fmt::format(" data-{}=\"{}\"", name, xml_escaped(value));
    };
    const bool excluded = mark.kind == MarkKind::excluded;
    fact("name", mark.name);
    fact("rate", (excluded ? "at most " : "") + format_si(mark.rate, "flop/s"));
    fact("at", fmt::format("{:.3g} flop/byte", mark.intensity));
    if (mark.low > 0.0 && mark.high >= mark.low) {
        fact("interval",
             fmt::format("{} to {}", format_si(mark.low, "flop/s"), format_si(mark.high, "flop/s")));
    }
    std::string share;
    if (mark.bound > 0.0 && !excluded) {
        share = fmt::format("{} of {}, its own bound", format_percent(mark.rate / mark.bound),
                            format_si(mark.bound, "flop/s"));
    }
    if (const std::string roof = attainable_text(plot, mark); !roof.empty())
        share += (share.empty() ? "" : "; ") + roof;
    fact("share", share);
    const Attainable roof = attainable(plot.lines, mark);
    fact("binding", !mark.binding.empty() ? mark.binding : roof.line ? line_name(*roof.line) : "");
    fact("note", mark.note);
    return text;
}

}  // namespace

PlotPart::PlotPart(SvgCanvas& canvas, const RooflinePlot& plot, std::size_t series, std::string_view type) {
    if (!plot.hooks) return;
    canvas_ = &canvas;
    canvas.open_group(fmt::format("data-series=\"{}\" data-type=\"{}\"", series, xml_escaped(type)));
}

PlotPart::PlotPart(SvgCanvas& canvas, const RooflinePlot& plot, std::size_t series, std::string_view type,
                   MarkKind kind) {
    if (!plot.hooks) return;
    canvas_ = &canvas;
    canvas.open_group(fmt::format("data-series=\"{}\" data-type=\"{}\" data-kind=\"{}\"", series,
                                  xml_escaped(type), kind_word(kind)));
}

PlotPart::PlotPart(SvgCanvas& canvas, const RooflinePlot& plot, std::size_t series, const PlotMark& mark) {
    if (!plot.hooks) return;
    canvas_ = &canvas;
    canvas.open_group(fmt::format("class=\"mark\" data-series=\"{}\" data-type=\"{}\" data-kind=\"{}\"{}",
                                  series, xml_escaped(mark.group), kind_word(mark.kind),
                                  plot.hooks->facts ? facts_of(plot, mark) : ""));
}

PlotPart::PlotPart(SvgCanvas& canvas, const RooflinePlot& plot, std::string_view types) {
    if (!plot.hooks || types.empty()) return;
    canvas_ = &canvas;
    canvas.open_group(fmt::format("data-type=\"{}\"", xml_escaped(types)));
}

PlotPart::~PlotPart() {
    if (canvas_) canvas_->close_group();
}

std::string type_of(const PlotSeries& series) {
    if (series.marks.empty()) return "";
    const std::string& first = series.marks.front().group;
    const bool one = std::all_of(series.marks.begin(), series.marks.end(),
                                 [&](const PlotMark& mark) { return mark.group == first; });
    return one ? first : "";
}

}  // namespace rooftune
