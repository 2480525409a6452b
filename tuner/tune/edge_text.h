// Where a space ended, in words: what was added to it while it was searched, and where the winner sits on an
// edge of it.
#pragma once

#include <string>

#include "tuner/formats/tune_result.h"

namespace rooftune {

/// "The space grew …"; empty where nothing grew.
std::string growth_sentence(const TuneResult& result);

/// "The winner is on an edge of the space …"; empty where it is on none.
std::string edge_sentence(const TuneResult& result);

}  // namespace rooftune
