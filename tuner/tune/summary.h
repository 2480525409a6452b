// The summary of a tune: sentences and a small table, plain on a terminal and valid as Markdown.
#pragma once

#include <string>
#include <vector>

#include "tuner/base/table.h"
#include "tuner/formats/tune_result.h"
#include "tuner/tune/gap_sentence.h"

namespace rooftune {

/// What a result is called: its problem, and what tells it from others of that problem (setting_words).
std::string title_of(const TuneResult& result);

/// The same in a table of several: with the number of threads where a result of another number has the same
/// title.
std::string title_among(const TuneResult& result, const std::vector<TuneResult>& all);

/// Whether it was tuned from within the program that has its functions: no command can run them, and options
/// are members of KernelOptions (tuner/tune/kernel.h).
bool is_of_functions(const TuneResult& result);

/// Whether it is a kernel or program of the user's that nothing bounds, because it says nothing of its work.
bool declares_no_work(const TuneResult& result);

/// The paragraphs that a summary is made of, not wrapped; empty where there is nothing to say.
struct SummaryParts {
    std::string title, context;
    std::string verdict;      ///< the winner against what is possible, and the gap; or why there is none
    std::string winner;       ///< its parameters, its error, what its preparation costs
    std::string certificate;  ///< the six classes and why the search stopped
    std::string failures;     ///< why variants failed, by kind; empty where none did
    std::string audit;        ///< and the measurements that beat their bounds
    std::string doubts;       ///< what spoke against the machine's ceilings
    Table references;         ///< the winner beside the default and the naive variant and the bounds
};
SummaryParts summary_parts(const TuneResult& result);

/// The lines of the short summary (first_lines.h); then reference times, the six classes and why the search
/// stopped; audit; violations in plain words; files; what to do next. Ends with a newline.
std::string summary_text(const TuneResult& result);

/// One row a job; empty when there are no jobs. Columns: the winner's flop/s, its speed-ups, its share
/// of the problem's roof, of its own bound and of the roof as probed just now, what binds it, and the
/// most that anything left could be faster, as proven.
std::string several_table(const std::vector<TuneResult>& results, int columns = page_width());
/// The same as a table, a row for each result in order.
Table table_of(const std::vector<TuneResult>& results);

/// Things to do next, most useful first; at most three.
std::vector<std::string> advice(const TuneResult& result);

}  // namespace rooftune
