#include "tuner/tune/short_summary.h"

#include <fmt/format.h>

#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/tune/first_lines.h"
#include "tuner/tune/headline.h"
#include "tuner/tune/short_call.h"
#include "tuner/tune/summary.h"

namespace rooftune {

std::string short_table(const std::vector<TuneResult>& results) {
    if (results.empty()) return "";
    Table table({{"problem", Align::left},
                 {"flop/s", Align::right},
                 {"over naive", Align::right},
                 {"over default", Align::right},
                 {"left, at most", Align::right}});
    for (const TuneResult& r : results) {
        if (r.best.empty()) {
            table.add({title_among(r, results), "no winner"});
            continue;
        }
        table.add({title_among(r, results), rate_text(r),
                   gain_cell(r.speedup_over_naive, r.naive_ratio, r.best == r.naive),
                   gain_cell(r.speedup_over_default, r.default_ratio, r.best == r.fallback), left_cell(r)});
    }
    return table.to_text();
}

constexpr int kMostOfFailure = 240;  // of a compiler's message the beginning says most

std::string short_summary(const TuneResult& r) {
    if (r.best.empty()) return summary_text(r);
    const SummaryParts parts = summary_parts(r);
    std::string text = fmt::format("## {}\n\n", parts.title) + wrap(parts.context) + "\n\n" + first_lines(r);
    // Who reads five lines should not have to guess why a variant of his is missing among them.
    for (const std::string& failure : r.failures)
        text += labelled("Failed", cut_to_width(printable(failure), kMostOfFailure));
    text += labelled("Config", r.config_file);
    if (!is_of_functions(r))
        text += labelled("More",
                         "-v shows how it was found, what was ruled out and by what, and what the audit saw");
    return text;
}

}  // namespace rooftune
