#include <fmt/format.h>

#include "tuner/base/joined.h"
#include "tuner/base/si.h"
#include "tuner/chart/phrases.h"
#include "tuner/ladder/ladder_svg.h"
#include "tuner/ladder/ladder_text.h"
#include "tuner/report/html_text.h"
#include "tuner/report/sections.h"

namespace rooftune::page {
namespace {

// In the field's words, so that the page says what each step is.
Table reasons_of(const ladder::Result& r) {
    Table table({{"step", Align::left}, {"what it is for", Align::left}, {"parameters", Align::left}});
    for (const ladder::Step& step : r.steps) table.add({step.name, step.why, joined(step.parameters, ", ")});
    return table;
}

}  // namespace

Section ladder_section(const ladder::LadderFile& file, std::size_t series, const ResultFile* tune) {
    const TuneResult* of = tune ? &tune->result : nullptr;
    ladder::Result r = file.result;
    const bool of_winner = of && !r.steps.empty() && r.steps.back().variant == of->best;
    if (of_winner && of->machine_id == r.subject.machine_id) {
        r.tuned_seconds = of->seconds.median;
        r.config_created = tune->created;  // a time and a date of one tune, which may be a later one
    }
    Section section{section_id("ladder", series), "Ladder: what each optimisation gave", {}};
    section.blocks.push_back(Paragraph{
        "The family's optimisations, added one by one to the naive variant until it is the best one, "
        "all measured in rotation, with fresh processes each round. Times are medians; a gain is the median "
        "of the "
        "ratios within rounds, which a drift of the machine leaves alone. What a step is still worth is the "
        "time "
        "of the best variant without it, over that of the best."});
    if (of && !r.steps.empty() && !of_winner) {
        section.blocks.push_back(
            Paragraph{"This ladder ends at another variant than the winner above (" +
                      variant_phrase(r.subject.family, r.steps.back().variant) +
                      "): it was measured of an earlier config. `rooftune ladder` measures it anew."});
    }
    for (const std::string& sentence : ladder_sentences(r)) section.blocks.push_back(Paragraph{sentence});
    const std::string html = two_widths([&](double width, const char* which) {
        return draw_ladder(r, width, fmt::format("{}-{}", section.id, which)).svg;
    });
    section.blocks.push_back(Figure{"<figure>" + html + "</figure>", ""});
    section.blocks.push_back(DataTable{
        fmt::format("The ladder in {}, {}", format_plural(r.rounds, "round"), r.created), ladder_table(r)});
    if (std::vector<std::string> remarks = ladder_remarks(r); !remarks.empty())
        section.blocks.push_back(List{std::move(remarks)});
    section.blocks.push_back(DataTable{"What each step is for", reasons_of(r), {}, "What each step is for"});
    return section;
}

}  // namespace rooftune::page
