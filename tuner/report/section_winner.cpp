#include "tuner/report/sections.h"
#include "tuner/tune/summary.h"

namespace rooftune::page {

Section winner_section(const TuneResult& r, std::size_t series) {
    Section section{section_id("winner", series), "The winner", {}};
    const SummaryParts parts = summary_parts(r);
    if (!r.best.empty()) {
        section.blocks.push_back(DataTable{"The winner beside what it is compared with", parts.references});
        section.blocks.push_back(Paragraph{parts.winner});
    } else {
        section.title = "No winner";
        section.blocks.push_back(Paragraph{parts.verdict});
    }
    if (const std::vector<std::string> next = advice(r); !next.empty()) {
        section.blocks.push_back(Paragraph{"Next:"});
        section.blocks.push_back(List{next});
    }
    return section;
}

}  // namespace rooftune::page
