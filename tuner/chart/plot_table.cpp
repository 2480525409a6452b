#include "tuner/chart/plot_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "tuner/base/si.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/plot_parts.h"
#include "tuner/chart/plot_style.h"

namespace rooftune {
namespace {

using namespace plot_style;

constexpr double kRow = 20.0;
constexpr double kLegendShare = 0.03;  // of the time: a marker of five pixels

struct Entry {
    std::function<void(SvgCanvas&, double x, double y)> sample;  ///< 20 pixels wide, about (x, y)
    std::string text;
    const PlotSeries* series = nullptr;  ///< that it stands for alone
};

Entry line_entry(double width, const char* dashes, std::string text) {
    return {[style = stroke(kGreyHue, width, dashes)](SvgCanvas& canvas, double x, double y) {
                canvas.line(x - 9.0, y, x + 9.0, y, style);
            },
            std::move(text)};
}

std::size_t count_of(const RooflinePlot& plot, MarkKind kind) {
    std::size_t count = 0;
    for (const PlotSeries& series : plot.series) {
        count += static_cast<std::size_t>(std::count_if(series.marks.begin(), series.marks.end(),
                                                        [&](const PlotMark& m) { return m.kind == kind; }));
    }
    return count;
}

std::vector<Entry> entries_of(const RooflinePlot& plot, const Extras& extras, const MarksDrawn& drawn) {
    const bool several = plot.series.size() > 1;
    std::vector<Entry> entries;
    for (std::size_t s = 0; several && s < plot.series.size(); ++s) {
        // Its line and its marker: of thirteen series two have one colour.
        entries.push_back(
            {[s](SvgCanvas& canvas, double x, double y) {
                 canvas.line(x - 10.0, y, x + 10.0, y, stroke(series_hue(s), 1.6, series_dash(s)));
                 draw_marker(canvas, MarkKind::kernel, {x, y}, {series_hue(s), series_sign(s)}, kLegendShare);
             },
             cut_to_width(printable(plot.series[s].name), 44), &plot.series[s]});
    }
    bool shares = false;
    for (const PlotSeries& series : plot.series) {
        for (const PlotMark& mark : series.marks) shares = shares || mark.share > 0.0;
    }
    for (const MarkKind kind : {MarkKind::winner, MarkKind::fallback, MarkKind::naive, MarkKind::measured,
                                MarkKind::excluded, MarkKind::kernel}) {
        const std::size_t count = count_of(plot, kind);
        if (count == 0) continue;
        std::string text(kind_name(kind));
        if (count > 1)
            text += fmt::format("{} ({})", kind == MarkKind::kernel ? "s" : "", format_count(count));
        if (kind == MarkKind::kernel && shares) text += ", area by share of the time";
        const std::string_view hue =
            several || kind == MarkKind::kernel ? kGreyHue : hue_of(plot, 0, {.name = "", .kind = kind}, 0);
        entries.push_back({[kind, hue](SvgCanvas& canvas, double x, double y) {
                               draw_marker(canvas, kind, {x, y}, {hue});
                           },
                           text});
    }
    if (drawn.arrows) entries.push_back(line_entry(1.8, "", "from before to after"));
    if (count_of(plot, MarkKind::winner) > 0)
        entries.push_back(line_entry(1.6, "3 2", "the winner's way to its bound"));
    if (extras.serial_roof)
        entries.push_back(line_entry(1.0, "2 3", "roof if arithmetic and traffic did not overlap"));
    if (extras.band) {
        entries.push_back({[](SvgCanvas& canvas, double x, double y) {
                               canvas.rectangle(x - 9.0, y - 6.0, 18.0, 12.0,
                                                "class=\"grey fill\" fill-opacity=\"0.3\"");
                           },
                           "intensity: with likely traffic to compulsory only"});
    }
    return entries;
}

/// A column of the table: its head, its width, where its text ends, and how a cell reads.
struct Column {
    const char* head;
    double width;
    Anchor anchor;
    std::string (*cell)(const RooflinePlot&, const NamedMark&);
};

const std::array<Column, 5> kColumns{
    {{"", 26.0, Anchor::end,
      [](const RooflinePlot&, const NamedMark& n) { return std::to_string(n.number); }},
     {"flop/s", 86.0, Anchor::end,
      [](const RooflinePlot&, const NamedMark& n) { return format_si(n.mark->rate, "flop/s"); }},
     {"flop/byte", 62.0, Anchor::end,
      [](const RooflinePlot&, const NamedMark& n) { return fmt::format("{:.3g}", n.mark->intensity); }},
     {"attainable", 72.0, Anchor::end,
      [](const RooflinePlot& plot, const NamedMark& n) {
          const Attainable roof = attainable(plot.lines, *n.mark);
          return roof.line ? format_percent(n.mark->rate / roof.rate) : std::string("–");
      }},
     {"time", 60.0, Anchor::end, [](const RooflinePlot&, const NamedMark& n) {
          return n.mark->share > 0.0 ? format_percent(n.mark->share) : std::string("–");
      }}}};

}  // namespace

double draw_legend(SvgCanvas& canvas, double left, double right, double top, const RooflinePlot& plot,
                   const Extras& extras, const MarksDrawn& drawn) {
    double x = left, y = top;
    const std::vector<Entry> entries = entries_of(plot, extras, drawn);
    for (const Entry& entry : entries) {
        const std::string text = cut_to_pixels(entry.text, kSmall, right - left - 28.0);
        const double needed = 28.0 + pixel_width(text, kSmall) + 16.0;
        if (x > left && x + needed - 16.0 > right) {
            x = left;
            y += kRow;
        }
        std::optional<PlotPart> part;
        if (entry.series)
            part.emplace(canvas, plot, static_cast<std::size_t>(entry.series - plot.series.data()),
                         type_of(*entry.series));
        entry.sample(canvas, x + 10.0, y);
        canvas.text(x + 25.0, y + 0.33 * kSmall, text, Anchor::start, {kSmall, "ink"});
        x += needed;
    }
    return entries.empty() ? top - kRow : y;
}

double draw_table(SvgCanvas& canvas, double left, double right, double top, const RooflinePlot& plot,
                  const MarksDrawn& drawn) {
    if (drawn.table.empty()) return top;
    constexpr double kTableRow = 17.0, kGap = 30.0;
    constexpr std::size_t kOneColumn = 10;
    const bool shares = std::any_of(drawn.table.begin(), drawn.table.end(),
                                    [](const NamedMark& n) { return n.mark->share > 0.0; });
    double fixed = 0.0;
    for (const Column& column : kColumns) fixed += column.width;
    if (!shares) fixed -= kColumns.back().width;
    // Two blocks where there is room for names in both.
    const double half = 0.5 * (right - left - kGap);
    const bool two = drawn.table.size() > kOneColumn && half > fixed + 90.0;
    const std::size_t rows = two ? (drawn.table.size() + 1) / 2 : drawn.table.size();
    const double width = two ? half : std::min(right - left, fixed + 420.0);
    const double name_width = std::max(40.0, width - fixed);
    for (std::size_t block = 0; block < (two ? 2u : 1u); ++block) {
        const double x0 = left + static_cast<double>(block) * (width + kGap);
        const auto row = [&](double y, const NamedMark* named) {
            std::optional<PlotPart> part;
            if (named) part.emplace(canvas, plot, named->series, std::string_view(named->mark->group));
            double x = x0;
            for (std::size_t c = 0; c < kColumns.size(); ++c) {
                const Column& column = kColumns[c];
                if (c + 1 == kColumns.size() && !shares) break;
                x += column.width;
                if (named) {
                    const std::string_view hue = hue_of(plot, named->series, *named->mark, named->rank);
                    const std::string look = c == 0 ? text_in(hue) : std::string("ink");
                    canvas.text(x, y, column.cell(plot, *named), column.anchor, {kSmall, look, c == 0});
                } else {
                    canvas.text(x, y, column.head, column.anchor, {kSmall, "faint"});
                }
                if (c != 0) continue;
                const double most = name_width - 14.0;
                if (named) {
                    canvas.text_within(most, x + 8.0, y, named->title, Anchor::start, {kSmall, "ink"},
                                       named->title);
                } else {
                    canvas.text(x + 8.0, y, "kernel", Anchor::start, {kSmall, "faint"});
                }
                x += name_width;
            }
        };
        row(top, nullptr);
        canvas.line(x0, top + 6.0, x0 + width, top + 6.0, kLeaderLine);
        for (std::size_t i = 0; i < rows; ++i) {
            const std::size_t index = block * rows + i;
            if (index < drawn.table.size())
                row(top + 7.0 + kTableRow * static_cast<double>(i + 1) - 2.0, &drawn.table[index]);
        }
    }
    return top + 7.0 + kTableRow * static_cast<double>(rows);
}

std::vector<std::string> remarks(const RooflinePlot& plot, const MarksDrawn& drawn) {
    std::vector<std::string> lines;
    if (drawn.unlisted > 0)
        lines.push_back(fmt::format("{} more without a number: their tooltips have their names.",
                                    format_plural(drawn.unlisted, "point")));
    if (drawn.beyond > 0)
        lines.push_back(
            fmt::format("{} beyond the axes, which are the machine's: drawn at the edge with an arrow.",
                        format_plural(drawn.beyond, "point")));
    for (const auto& [reason, count] : plot.left_out)
        lines.push_back(fmt::format("{} left out: {}.", format_plural(count, "point"), reason));
    return lines;
}

double draw_remarks(SvgCanvas& canvas, double left, double right, double top, const RooflinePlot& plot,
                    const MarksDrawn& drawn) {
    for (const std::string& line : remarks(plot, drawn)) {
        canvas.text_within(right - left, left, top, line, Anchor::start, {kSmall, "faint"});
        top += kLineHeight;
    }
    return top;
}

}  // namespace rooftune
