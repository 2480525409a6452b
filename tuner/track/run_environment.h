// What a time depends on besides the code: the machine, and the software below and around the kernels.
#pragma once

#include <string>

#include "tuner/ceilings/system_files.h"
#include "tuner/measure/comparison.h"

namespace rooftune {

class Fields;

namespace track {

/// Empty, or 0: not known.
struct RunEnvironment {
    std::string machine{};                    ///< fingerprint
    std::string compiler{}, build{};          ///< that built the kernels, and the hash of their build
    std::string libc{}, kernel{};             ///< "glibc 2.36", "Linux 6.1.0-18-amd64"
    std::string clock_source{}, processor{};  ///< as the kernel names them
    int processors = 0;                       ///< processing units that may be used
};

/// As it is now. `machine` is this machine's fingerprint.
RunEnvironment environment_now(const std::string& machine, const SystemFiles& files = SystemFiles());

/// The keys of a history's entry: all but machine and build, which have places of their own there.
void fields(Fields& f, RunEnvironment& environment);

/// What of the baseline's and the candidate's environment is not as it is now, part by part: what differs for
/// both alike is one change. What is not known of then cannot be compared, and is named. Whether the baseline
/// was recorded is the caller's to say.
EnvironmentDifference environment_difference(const RunEnvironment& base, const RunEnvironment& candidate,
                                             const RunEnvironment& now);

}  // namespace track
}  // namespace rooftune
