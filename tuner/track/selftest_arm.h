// A program of known length: the arm of `rooftune track selftest`, in a process of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rooftune {

/// `PROGRAM --selftest-arm KIND WORK` does that much of a control's work, the usual being 1, and prints the
/// seconds that it took.
inline constexpr const char* kSelftestArmFlag = "--selftest-arm";

/// How that program is started.
std::vector<std::string> selftest_arm(const std::string& kind, double work);

/// For a program's main: the exit status of the arm that the arguments ask for, or nothing.
std::optional<int> run_arm_if_asked(int argc, char** argv);

}  // namespace rooftune
