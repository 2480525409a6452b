// The summary of a tune: sentences and a small table, plain on a terminal and valid as Markdown.
#pragma once

#include <string>
#include <vector>

#include "tuner/config/tune_result.h"

namespace rooftune {

/// Winner, speed-ups, the three fractions and the gap; the six classes and why the search stopped;
/// audit; violations in plain words; files; what to do next. Ends with a newline.
std::string summary_text(const TuneResult& result);

/// One row a job; empty when there are no jobs. Columns: the winner's flop/s, its speed-ups, its share
/// of the problem's roof, of its own bound and of the roof as probed just now, what binds it, and the
/// most that anything left could be faster (the gap).
std::string several_table(const std::vector<TuneResult>& results);

/// What the certificate says about everything not measured, as one sentence.
std::string gap_sentence(const CertificateReport& certificate);

/// Things to do next, most useful first; at most three.
std::vector<std::string> advice(const TuneResult& result);

}  // namespace rooftune
