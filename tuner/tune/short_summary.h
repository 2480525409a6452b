// The summary that a person needs: a line each for the winner, what it gained, how near it is, what is left
// and what to do next.
#pragma once

#include <string>

#include "tuner/formats/tune_result.h"

namespace rooftune {

/// Wrapped to the page; ends with a newline. Where nothing has won it is the whole summary (summary.h), which
/// has the reason.
std::string short_summary(const TuneResult& result);

}  // namespace rooftune
