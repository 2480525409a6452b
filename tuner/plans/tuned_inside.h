// The configs behind a Tuned, as the choice of a variant sees them.
#pragma once

#include <string>
#include <vector>

#include "models/machine.h"
#include "tuner/formats/tuned_config.h"
#include "tuner/formats/tuned_set.h"
#include "tuner/plans/tuned.h"

namespace rooftune {

template <typename T>
struct FromFile {
    std::string file;
    T what;
    bool here = false;  ///< tuned on this machine
};

struct ROOFTUNE_HIDDEN Tuned::Inside {
    std::string folder;  ///< empty: none was named
    std::vector<FromFile<TunedConfig>> configs;
    std::vector<FromFile<TunedSet>> sets;
    std::vector<std::string> notices;
};

/// The machine that this process runs on, looked at once.
struct ThisMachine {
    std::string fingerprint;                ///< as this process sees it
    std::vector<std::string> fingerprints;  ///< of configs that are of this machine, see fingerprints_here()
    Topology topology;
};
/// Throws EnvironmentError when the topology cannot be read.
const ThisMachine& this_machine();

/// "tuned on another machine (Some Xeon)"; where the processor bears the same name, also what can be
/// different then, since the reader takes it for the same machine.
std::string tuned_elsewhere(const std::string& machine_id, const std::string& processor);

}  // namespace rooftune
