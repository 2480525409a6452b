#include <fmt/format.h>

#include "tuner/base/si.h"
#include "tuner/report/convergence_svg.h"
#include "tuner/report/html_text.h"
#include "tuner/report/sections.h"

namespace rooftune::page {
namespace {

Table numbers_of(const TuneResult& r) {
    Table table({{"evaluations", Align::right},
                 {"best time", Align::right},
                 {"flop/s", Align::right},
                 {"time over the winner's", Align::right},
                 {"excluded", Align::right}});
    const double last = r.convergence.back().best_seconds;
    for (const ConvergencePoint& p : r.convergence) {
        const double rate = r.flops_nominal / p.best_seconds;
        table.add(
            {{format_count(static_cast<std::uint64_t>(p.evaluations)), static_cast<double>(p.evaluations)},
             {format_seconds(p.best_seconds), p.best_seconds},
             rate > 0.0 ? TableCell(format_si(rate, "flop/s"), rate) : TableCell(),
             {format_ratio(p.best_seconds / last), p.best_seconds / last},
             {format_percent(p.excluded), p.excluded}});
    }
    return table;
}

}  // namespace

Section convergence_section(const TuneResult& r, std::size_t series) {
    Section section{section_id("course", series), "The search as it went", {}};
    if (r.convergence.empty()) {
        section.blocks.push_back(Paragraph{
            "This result does not hold the course of its search: an older version of the program wrote it, "
            "or nothing worked. Tuning again keeps it."});
        return section;
    }
    section.blocks.push_back(Paragraph{convergence_text(r)});
    const std::string html = two_widths([&](double width, const char* which) {
        return draw_convergence(r, width, fmt::format("{}-{}", section.id, which)).svg;
    });
    section.blocks.push_back(Figure{"<figure>" + html + "</figure>", ""});
    section.blocks.push_back(DataTable{"The search in numbers, where something changed",
                                       numbers_of(r),
                                       {},
                                       "The search in numbers",
                                       kMarkdownRows});
    return section;
}

}  // namespace rooftune::page
