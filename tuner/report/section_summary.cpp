#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tuner/report/sections.h"
#include "tuner/tune/summary.h"

namespace rooftune::page {
namespace {

// A winner's gain over itself is 1 by definition, and no measurement.
Table without_itself(const Table& all, const std::vector<TuneResult>& results) {
    const std::vector<Column>& columns = all.columns();
    Table table(columns);
    for (std::size_t i = 0; i < all.rows().size(); ++i) {
        std::vector<TableCell> row = all.rows()[i];
        for (std::size_t c = 0; c < std::min(row.size(), columns.size()) && i < results.size(); ++c) {
            const TuneResult& r = results[i];
            const std::string& header = columns[c].header;
            const bool over_default = header == "over default";
            if (r.best.empty() || !header.starts_with("over ")) continue;
            if (r.best == (over_default ? r.fallback : r.naive)) row[c] = "is the winner";
        }
        table.add(std::move(row));
    }
    return table;
}

}  // namespace

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
    section.blocks.push_back(
        DataTable{"All results", without_itself(table_of(results), results), std::move(tags)});
    return section;
}

}  // namespace rooftune::page
