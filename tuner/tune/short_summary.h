// The summary that a person needs: a line each for the winner, what it gained, how near it is, what is left
// and what to do next.
#pragma once

#include <string>
#include <vector>

#include "tuner/formats/tune_result.h"

namespace rooftune {

/// Wrapped to the page; ends with a newline. Where nothing has won it is the whole summary (summary.h), which
/// has the reason. The whole summary begins with the same lines.
std::string short_summary(const TuneResult& result);

/// A row for each result, narrow enough for most pages: problem, flop/s, gains (marked where the rounds do
/// not decide them), and how much faster what is left could be, by the number that its own summary leads
/// with. Empty where there are none.
std::string short_table(const std::vector<TuneResult>& results);

}  // namespace rooftune
