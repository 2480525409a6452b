// What a bisection found, in words, and the lines that it says on its way.
#pragma once

#include <string>

#include "tuner/track/bisect_report.h"

namespace rooftune {

/// The answer, the comparison behind it, what was skipped, and what to do next.
std::string bisect_text(const track::BisectReport& report);

/// Before it begins: how many commits, and about how many steps.
std::string bisect_plan(const track::BisectReport& report);

/// Before a step.
std::string bisect_progress(int commits_left, int steps_left);

/// After one: the commit and what was found of it.
std::string bisect_step_text(const track::BisectStep& step);

}  // namespace rooftune
