#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "tuner/base/si.h"
#include "tuner/chart/plot_ceilings.h"
#include "tuner/chart/plot_marks.h"
#include "tuner/chart/plot_parts.h"
#include "tuner/chart/roofline_svg.h"
#include "tuner/report/html_text.h"
#include "tuner/report/sections.h"

namespace rooftune::page {
namespace {

// Points of the two kinds that come in hundreds, over all results: with what each tells, about a megabyte. Of
// many results the tables take their share of the two that a page may have.
constexpr std::size_t kMostSmall = 1200, kMostSmallOfMany = 380, kMany = 4;

bool small(const PlotMark& mark) {
    return mark.kind == MarkKind::measured || mark.kind == MarkKind::excluded;
}

/// Leaves out points evenly until there are at most `most`; returns how many there were.
std::size_t thin_out(RooflinePlot& plot, std::size_t most) {
    std::size_t all = 0;
    for (const PlotSeries& s : plot.series)
        all += static_cast<std::size_t>(std::count_if(s.marks.begin(), s.marks.end(), small));
    if (all <= most) return all;
    std::size_t seen = 0;
    for (PlotSeries& s : plot.series) {
        std::erase_if(s.marks, [&](const PlotMark& mark) {
            if (!small(mark)) return false;
            ++seen;
            return seen * most / all == (seen - 1) * most / all;
        });
    }
    return all;
}

struct Choice {
    std::string attribute, value, label;
    bool on = true;
};

std::string fieldset(const char* legend, const std::vector<Choice>& choices) {
    if (choices.size() < 2) return "";  // nothing to choose
    std::string html = fmt::format("<fieldset><legend>{}</legend>", legend);
    for (const Choice& c : choices) {
        html +=
            fmt::format("<label><input type=\"checkbox\"{} data-{}=\"{}\"> {}</label>",
                        c.on ? " checked" : "", c.attribute, html_escaped(c.value), html_escaped(c.label));
    }
    return html + "</fieldset>";
}

/// Element types of points and lines, those of points first.
std::vector<Choice> types_of(const RooflinePlot& plot) {
    std::vector<Choice> choices;
    const auto add = [&](const std::string& type) {
        const bool known =
            std::any_of(choices.begin(), choices.end(), [&](const Choice& c) { return c.value == type; });
        if (!type.empty() && !known) choices.push_back({"type", type, type});
    };
    for (const PlotSeries& s : plot.series) {
        for (const PlotMark& mark : s.marks) add(mark.group);
    }
    for (const PlotLine& line : plot.lines) {
        if (!line.bandwidth) add(line.group);
    }
    return choices;
}

std::string filters(const RooflinePlot& plot) {
    std::vector<Choice> series, kinds;
    for (std::size_t i = 0; i < plot.series.size(); ++i)
        series.push_back({"series", std::to_string(i), plot.series[i].name});
    for (const MarkKind kind :
         {MarkKind::winner, MarkKind::fallback, MarkKind::naive, MarkKind::measured, MarkKind::excluded}) {
        std::size_t count = 0;
        for (const PlotSeries& s : plot.series)
            count += static_cast<std::size_t>(std::count_if(
                s.marks.begin(), s.marks.end(), [&](const PlotMark& m) { return m.kind == kind; }));
        // Of several problems the clouds of all their variants hide the winners.
        const bool crowd =
            plot.series.size() > 1 && (kind == MarkKind::measured || kind == MarkKind::excluded);
        if (count > 0)
            kinds.push_back({"kind", std::string(kind_word(kind)),
                             fmt::format("{} ({})", kind_name(kind), format_count(count)), !crowd});
    }
    return "<form class=\"filters\" hidden>" + fieldset("Kernels", series) +
           fieldset("Precision", types_of(plot)) + fieldset("Points", kinds) +
           "<output aria-live=\"polite\"></output></form>\n";
}

std::string remarks_of(const std::vector<std::string>& remarks) {
    std::string html;
    for (const std::string& remark : remarks)
        html += "<p class=\"remark\">" + html_escaped(remark) + "</p>\n";
    return html;
}

}  // namespace

Section roofline_section(const Input& input) {
    Section section{"roofline", "Roofline", {}};
    std::vector<TuneResult> results;
    for (const ResultFile& file : input.files) results.push_back(file.result);
    RooflinePlot plot = roofline_plot(results, true);
    if (input.lines) draw_machine(plot, view_of(*input.lines, results), {});
    if (plot.lines.empty() && std::all_of(plot.series.begin(), plot.series.end(),
                                          [](const PlotSeries& s) { return s.marks.empty(); })) {
        section.blocks.push_back(
            Paragraph{"The results hold neither points nor ceilings, so there is nothing to draw."});
        return section;
    }
    const std::size_t most = results.size() > kMany ? kMostSmallOfMany : kMostSmall;
    const std::size_t small_points = thin_out(plot, most);
    section.blocks.push_back(Paragraph{
        "Performance over arithmetic intensity, both logarithmic. The axes follow from the machine alone, so "
        "that "
        "plots of one machine can be laid side by side. Arrows lead from the naive and the default variant "
        "to the "
        "winner; hollow points are variants that were excluded, at the most that their bounds allow."});
    std::vector<std::string> remarks;
    const std::string drawings = two_widths([&](double width, const char* which) {
        RooflinePlot sized = plot;
        sized.width = width;
        sized.hooks = PlotHooks{fmt::format("roofline-{}", which), std::string_view(which) == "wide"};
        const RooflineDrawing drawing = draw_roofline(sized);
        if (remarks.empty()) remarks = drawing.remarks;
        return drawing.svg;
    });
    if (small_points > most) {
        remarks.push_back(fmt::format("Of {} measured and excluded variants {} are drawn, evenly chosen.",
                                      format_count(small_points), format_count(most)));
    }
    const std::string html = "<figure class=\"plot\" id=\"roofline-plot\">\n" + filters(plot) +
                             "<div class=\"stage\">" + drawings +
                             "<div class=\"tip\" aria-hidden=\"true\" hidden></div></div>\n"
                             "<figcaption class=\"hint\" hidden>Point at a mark to read it, or press Tab "
                             "until the plot is chosen and "
                             "walk through its marks with the arrow keys.</figcaption>\n" +
                             remarks_of(remarks) + "</figure>";
    section.blocks.push_back(Figure{
        html, "The plot itself is in the HTML report; `rooftune plot` draws it as a file of its own."});
    return section;
}

}  // namespace rooftune::page
