// Several arms that were compared in the same rounds, in words: who is the fastest, and who may be as fast.
#pragma once

#include <string>

#include "tuner/measure/comparison.h"

namespace rooftune {

/// A table, the fastest first, and below it who is not separated from the fastest, and how it was measured.
std::string ranking_text(const track::CompareReport& report, const track::Ranking& ranking, int columns);

/// What was done about many comparisons erring more often than one; empty of a single one.
std::string together_sentence(const track::CompareReport& report);

}  // namespace rooftune
