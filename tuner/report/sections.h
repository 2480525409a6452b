// What a report says, section by section. Each is a function of results alone, so that HTML and Markdown say
// the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/machine.h"
#include "tuner/formats/result_files.h"
#include "tuner/ladder/json.h"
#include "tuner/report/document.h"

namespace rooftune::page {

/// Rows of a long table that Markdown shows; a page folds the rest away instead.
inline constexpr std::size_t kMarkdownRows = 12;

/// What a report is made of.
struct Input {
    std::vector<ResultFile> files;  ///< at least one, unless there are ladders
    std::vector<Machine> machines;  ///< those of the results whose files are at hand
    std::optional<Machine> lines;   ///< whose roofs are drawn; none: the ceilings that the results kept
    std::string title{};            ///< empty: what the results are about
    /// Each stands with the result of its problem, or, where there is none, in a chapter of its own.
    std::vector<ladder::LadderFile> ladders{};
};

/// Verdicts in a sentence each, and a table where there are several results.
Section summary_section(const Input& input);
/// The roofline with all results on it.
Section roofline_section(const Input& input);

/// The winner beside the default, the naive variant and the bounds; what to do next.
Section winner_section(const TuneResult& result, std::size_t series);
/// The best over evaluations, and the share of the space that was excluded by then.
Section convergence_section(const TuneResult& result, std::size_t series);
/// The six classes with what each means, the gap, the audit.
Section certificate_section(const TuneResult& result, std::size_t series);
/// What binds the winner: its terms, what lies between bound and clock, what would make it faster. `since`:
/// what became known of its machine (known_since.h).
Section bound_section(const TuneResult& result, std::size_t series, const std::string& since);
/// The variants behind the points of the plot: the best of each kind, at most `most` of those that come in
/// hundreds.
Section variants_section(const TuneResult& result, std::size_t series, std::size_t most);
/// What each optimisation gave. `tune` has the result beside which it stands; null: none.
Section ladder_section(const ladder::LadderFile& file, std::size_t series, const ResultFile* tune);
/// What was tuned, when, by which build.
Section provenance_section(const ResultFile& file, std::size_t series);

/// The machines of the results, with their ceilings where their files are at hand.
Section machine_section(const Input& input);

/// "SECTION-3": ids of the sections of one result.
std::string section_id(const char* section, std::size_t series);

/// The whole report.
Document build(const Input& input);

}  // namespace rooftune::page
