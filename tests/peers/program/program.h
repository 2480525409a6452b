// The program around a comparison: options, arms, rounds, report. Each peer's main gives it a suite.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/contract/family.h"
#include "tests/peers/harness/arm.h"
#include "tests/peers/harness/report.h"

namespace rooftune::peers {

struct Suite {
    std::string family;
    ProblemSpec fallback;  ///< the problem when the command line names none; else its values for needed keys
    /// Figures beside flop/s.
    std::function<std::vector<Rate>(const Problem&)> rates;
    /// Other people's arms for a problem; may be fewer where the machine or the problem allows no more.
    std::function<std::vector<Arm>(const ProblemSpec&)> peers;
    /// Bytes that one arm's process holds.
    std::function<double(const Problem&)> bytes;
};

/// Exit status as the tuner's: 0 done, 1 an arm failed or answered wrongly, 2 bad usage or input,
/// 3 machine or environment, 130 after Ctrl-C.
int run_suite(int argc, char** argv, const Suite& suite);

}  // namespace rooftune::peers
