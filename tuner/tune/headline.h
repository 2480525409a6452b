// What is said of a winner first: how fast, how much faster than what, and how near to what is possible.
#pragma once

#include <string>

#include "tuner/base/table.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

/// Shares that differ by less are the same for a reader: noise of a quiet machine.
inline constexpr double kNoiseShare = 0.03;

/// flop/s of a time in seconds; 0 where there is none.
double flops_per_second(const TuneResult& result, double seconds);

/// A time over the winner's, with its interval where enough rounds tell one.
std::string speedup_text(double ratio, const TimeInterval& interval);
/// For a table: "8.10×, 3 rounds" says that there is none.
std::string speedup_cell(double ratio, const TimeInterval& interval);

/// "6.62 Gflop/s", or the time where no operations are counted.
std::string rate_text(const TuneResult& result);

/// "1.90× [1.85, 1.94] plain CSR (…)"; what the rounds do not decide is said not to be. Empty where nothing
/// was compared.
std::string gains_text(const TuneResult& result);

/// A gain in a column of its own: "1.90× [1.85, 1.94]", and what the rounds do not decide is marked; where it
/// would be over itself, that it is the winner.
TableCell gain_cell(double speedup, const TimeInterval& ratio, bool is_over_itself);

/// "88 % of the problem's roof and …".
std::string fractions_text(const TuneResult& result);

/// Whether the winner was faster than the roof as probed beside it allows: then that was disturbed, and the
/// share says nothing.
bool is_more_than_the_roof(const TuneResult& result);

/// All of it in one sentence.
std::string winner_sentence(const TuneResult& result);

}  // namespace rooftune
