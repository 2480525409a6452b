#include <fmt/format.h>

#include <utility>

#include "tuner/report/sections.h"
#include "tuner/tune/summary.h"

namespace rooftune::page {

Section summary_section(const Input& input) {
    Section section{"summary", "In words", {}};
    if (input.files.size() == 1) {
        section.blocks.push_back(Paragraph{summary_parts(input.files.front().result).verdict});
        return section;
    }
    List verdicts;
    std::vector<TuneResult> results;
    std::vector<Tag> tags;
    for (std::size_t i = 0; i < input.files.size(); ++i) {
        const TuneResult& r = input.files[i].result;
        const SummaryParts parts = summary_parts(r);
        verdicts.items.push_back(fmt::format("{}. {}", parts.title, parts.verdict));
        results.push_back(r);
        tags.push_back({i, r.dtype});
    }
    section.blocks.push_back(std::move(verdicts));
    section.blocks.push_back(DataTable{"All results", table_of(results), std::move(tags)});
    return section;
}

}  // namespace rooftune::page
