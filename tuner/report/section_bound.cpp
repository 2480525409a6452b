#include "tuner/report/sections.h"
#include "tuner/tune/explain_text.h"

namespace rooftune::page {
namespace {

constexpr std::size_t kAllTerms = 1000;

/// The ceilings behind the terms, and what could move each.
Table ceilings_behind(const BoundReport& bound, const Table& terms) {
    Table table(
        {{"term", Align::left}, {"ceiling behind it", Align::left}, {"what could move it", Align::left}});
    for (std::size_t i = 0; i < bound.terms.size(); ++i)
        table.add({terms.rows()[i].front().text, bound.terms[i].ceiling, bound.terms[i].opportunity});
    return table;
}

}  // namespace

Section bound_section(const TuneResult& r, std::size_t series, const std::string& since) {
    Section section{section_id("bound", series), "What binds it, and what would make it faster", {}};
    if (r.best.empty()) return section;
    const ExplainParts parts = explain_parts(r);
    const auto paragraph = [&](const std::string& text) {
        if (!text.empty()) section.blocks.push_back(Paragraph{text});
    };
    paragraph(parts.binding);
    paragraph(since);
    paragraph(parts.band);
    if (!r.bound.terms.empty()) {
        const Table terms = terms_table(r.bound, kAllTerms);
        section.blocks.push_back(DataTable{"Terms of the winner's bound", terms});
        paragraph(parts.demoted);
        section.blocks.push_back(DataTable{
            "Ceilings behind the terms", ceilings_behind(r.bound, terms), {}, "Ceilings behind the terms"});
    }
    if (!parts.opportunities.empty()) {
        paragraph(parts.opportunities_head);
        section.blocks.push_back(List{parts.opportunities, true});
    }
    paragraph(parts.between);
    paragraph(parts.settled);
    return section;
}

}  // namespace rooftune::page
