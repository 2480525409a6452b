// The configs behind a Tuned, as the choice of a variant sees them.
#pragma once

#include <string>
#include <vector>

#include "tuner/config/tuned_config.h"
#include "tuner/config/tuned_set.h"
#include "tuner/plans/tuned.h"

namespace rooftune {

template <typename T>
struct FromFile {
    std::string file;
    T what;
    bool here = false;  ///< tuned on this machine
};

struct Tuned::Inside {
    std::string folder;  ///< empty: none was named
    std::vector<FromFile<TunedConfig>> configs;
    std::vector<FromFile<TunedSet>> sets;
    std::vector<std::string> notices;
};

/// The machine that this process runs on, looked at once.
struct ThisMachine {
    std::string fingerprint;
    int numa_nodes = 1;
};
/// Throws EnvironmentError when the topology cannot be read.
const ThisMachine& this_machine();

}  // namespace rooftune
