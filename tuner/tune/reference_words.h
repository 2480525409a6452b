// What the winner, the default and the naive variant are called beside each other.
#pragma once

#include <string>

#include "tuner/formats/tune_result.h"

namespace rooftune {

/// "winner"; "winner: the same variant as the naive one and the default".
std::string winner_words(const TuneResult& result);

/// "default: SELL-16-512 on 2 threads". Where the phrase is that of the winner, or of the default, with the
/// settings in which it differs: "(unlike the winner: unroll 4, not 8)".
std::string default_words(const TuneResult& result);

/// The same of the naive variant; "naive: the same variant as the default" where it is that.
std::string naive_words(const TuneResult& result);

/// Where the rounds prove it: that the default variant, which is meant never to be slower than the naive one,
/// is. Empty where they do not.
std::string slow_default_sentence(const TuneResult& result);

}  // namespace rooftune
