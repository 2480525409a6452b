// What is left to gain where a repetition is so short that calling the kernel may be most of it.
#pragma once

#include <string>

#include "tuner/formats/tune_result.h"

namespace rooftune {

/// Below this many seconds a repetition on one thread may be mostly the call, and on more threads for each of
/// them, up to ten, their start and their meeting at the end: the product of 16 x 16 matrices takes 0.23 us
/// on one thread and 0.27 us on two (results/plan_overhead.md), and a join over two packages takes several
/// microseconds. On a device it is the start of a kernel's work groups, ten times as long.
inline constexpr double kShortCall = 1e-6;

/// Whether the winner's time is that short and its bounds explain less than half of it. Bounds know
/// arithmetic and traffic; no ceiling stands for a call.
bool is_mostly_call(const TuneResult& result);

/// How much is left to gain, in one or two sentences: what the certificate says, and of such a call what that
/// is worth. For the table of several results: the gap in a word.
std::string left_text(const TuneResult& result);
std::string left_cell(const TuneResult& result);

/// What to do then.
std::string short_call_advice();

}  // namespace rooftune
