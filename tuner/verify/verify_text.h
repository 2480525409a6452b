// What `rooftune verify` found, in words.
#pragma once

#include <string>

#include "tuner/verify/report.h"

namespace rooftune {

/// A line a config with what matters, details only where something is not as it was, each with what to do,
/// and a line that counts the verdicts.
std::string verify_text(const verify::VerifyReport& report);

}  // namespace rooftune
