// What a machine can detect, in words.
#pragma once

#include <string>

#include "tuner/track/selftest.h"

namespace rooftune {

std::string selftest_text(const track::SelftestReport& report);

/// Before it begins: how many comparisons, and how long they take; seconds.
std::string selftest_plan(int comparisons, double least_seconds, double limit);

}  // namespace rooftune
