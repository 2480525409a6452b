// Comparisons in words: for a terminal, for a pull request (Markdown), and for test runners (JUnit XML).
#pragma once

#include <string>

#include "tuner/measure/comparison.h"

namespace rooftune {

/// A paragraph a kernel, the ranking behind arms that were compared in the same rounds, a table of a scan,
/// then a line that counts the verdicts.
std::string compare_text(const track::CompareReport& report);

/// The counts, a table, and the reasons below it.
std::string compare_markdown(const track::CompareReport& report);

/// One test case a kernel: REGRESSED is a failure (SLOWER, of a sweep, is none), INVALID an error;
/// INCONCLUSIVE is skipped, or a failure where `strict`. What Ctrl-C left nothing of is skipped, too; what
/// only one side has is told in the suite's output.
std::string compare_junit(const track::CompareReport& report, bool strict);

/// How it was measured: rounds, and what the checks said.
std::string method_sentence(const track::Comparison& comparison);

/// "+6.2 % [+5.0 %, +7.4 %]", of the candidate's time over the baseline's; "n/a" where nothing was judged.
std::string ratio_change_text(const track::Judgement& judgement);

/// A time; a number that programs print has a unit of its own, which is not known. "n/a" where there is none.
std::string value_text(double value, bool printed);

/// "It lost 5.1 % of attainable (86 % before, 81 % now); the kernel moved, the roof did not." Empty where no
/// roof is known, and for a comparison that is INVALID.
std::string head_room_sentence(const track::Comparison& comparison);

}  // namespace rooftune
