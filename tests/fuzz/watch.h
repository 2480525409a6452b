// One target, read again and again in a process of its own that is watched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/fuzz/targets.h"

namespace rooftune::fuzz {

struct Limits {
    double seconds = 0.0;          ///< of changed inputs; 0: the seeds alone
    std::uint64_t executions = 0;  ///< of changed inputs at most, by the target's cost; 0: by time
    int seconds_an_input = 10;     ///< longer is a finding
    std::size_t most_bytes = 1 << 16;
    std::uint64_t seed = 1;
    int most_findings = 5;
    bool planted = false;  ///< reading crashes where the target says what is deep in it
};

struct Finding {
    std::string what;  ///< "signal 11", "an exception: …", "took longer than 10 s"
    std::string input;
};

struct Outcome {
    std::uint64_t executions = 0;
    std::vector<Finding> findings;
};

/// Its seeds, then changed ones. After a finding a new process goes on.
Outcome watched(const Target& target, const Limits& limits);

}  // namespace rooftune::fuzz
