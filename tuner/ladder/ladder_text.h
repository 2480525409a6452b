// A ladder in words: what `rooftune ladder` prints, and what the report says of it.
#pragma once

#include <string>
#include <vector>

#include "tuner/base/table.h"
#include "tuner/ladder/result.h"

namespace rooftune {

/// "10.3× [10.1, 10.5]"; "–" where there is none.
std::string gain_text(const std::optional<ladder::Gain>& gain);

/// One row a step, the bottom first.
Table ladder_table(const ladder::Result& result);

/// Whole and product, where the gain came from, what each step is still worth, what remains up to the roof,
/// and how the best variant's time here compares with the one that its tune told.
std::vector<std::string> ladder_sentences(const ladder::Result& result);

/// What has to be known besides: what failed, where a stand-in was measured, how the ladder ended. May be
/// empty.
std::vector<std::string> ladder_remarks(const ladder::Result& result);

/// For a terminal; `path` is where the ladder was written, empty where it was not.
std::string ladder_text(const ladder::Result& result, const std::string& path);

}  // namespace rooftune
