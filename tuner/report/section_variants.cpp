#include <fmt/format.h>

#include <algorithm>

#include "tuner/base/si.h"
#include "tuner/chart/phrases.h"
#include "tuner/report/sections.h"

namespace rooftune::page {
namespace {

int rank_of(const std::string& kind) {
    return kind == "winner" ? 0 : kind == "default" ? 1 : kind == "naive" ? 2 : kind == "measured" ? 3 : 4;
}

/// By kind, the fastest first, and of the many only so many.
std::vector<const PlotPoint*> chosen(const TuneResult& r, std::size_t most) {
    std::vector<const PlotPoint*> points;
    for (const PlotPoint& p : r.points) points.push_back(&p);
    std::stable_sort(points.begin(), points.end(), [](const PlotPoint* a, const PlotPoint* b) {
        const int x = rank_of(a->kind), y = rank_of(b->kind);
        return x != y ? x < y : a->flops_per_second > b->flops_per_second;
    });
    std::size_t measured = 0, excluded = 0;
    std::erase_if(points, [&](const PlotPoint* p) {
        const int rank = rank_of(p->kind);
        return (rank == 3 && ++measured > most) || (rank == 4 && ++excluded > most / 5);
    });
    return points;
}

/// "a=1,b=2" with a blank behind each comma, where a line may break.
std::string breakable(const std::string& label) {
    std::string text;
    for (std::size_t i = 0; i < label.size(); ++i) {
        text += label[i];
        if (label[i] == ',' && i + 1 < label.size() && label[i + 1] != ' ') text += ' ';
    }
    return text;
}

Table table_of(const std::vector<const PlotPoint*>& points) {
    Table table({{"", Align::left},
                 {"variant", Align::left},
                 {"flop/s", Align::right},
                 {"interval", Align::right},
                 {"of its bound", Align::right},
                 {"bound by", Align::left},
                 {"flop/byte", Align::right}});
    for (const PlotPoint* p : points) {
        const bool excluded = p->kind == "excluded";
        const double share = p->bound > 0.0 ? p->flops_per_second / p->bound : 0.0;
        table.add(
            {excluded ? "excluded" : p->kind,
             breakable(p->label),
             {(excluded ? "at most " : "") + format_si(p->flops_per_second, "flop/s"), p->flops_per_second},
             p->high > 0.0 ? TableCell(fmt::format("{} to {}", format_si(p->low, "flop/s"),
                                                   format_si(p->high, "flop/s")),
                                       p->low)
                           : TableCell("–"),
             share > 0.0 && !excluded ? TableCell(format_percent(share), share) : TableCell("–"),
             p->binding.empty() ? "–" : term_phrase(p->binding),
             {fmt::format("{:.3g}", p->intensity), p->intensity}});
    }
    return table;
}

}  // namespace

Section variants_section(const TuneResult& r, std::size_t series, std::size_t most) {
    Section section{section_id("variants", series), "The variants behind the points", {}};
    const std::vector<const PlotPoint*> points = chosen(r, most);
    if (points.empty()) return section;
    const std::string what =
        points.size() == r.points.size()
            ? format_plural(points.size(), "variant")
            : fmt::format("the best {} of {}", points.size(), format_plural(r.points.size(), "variant"));
    section.blocks.push_back(DataTable{"Variants: " + what +
                                           ", those excluded at their bounds. Winner, default and naive have "
                                           "their rates of the finals, as in all of this page; the others "
                                           "are of other minutes, as measured last",
                                       table_of(points), std::vector<Tag>(points.size(), {series, r.dtype}),
                                       "Variants: " + what, kMarkdownRows});
    return section;
}

}  // namespace rooftune::page
