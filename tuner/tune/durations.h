// How long a tune took, in the same parts and words wherever it is told.
#pragma once

#include <string>
#include <vector>

#include "tuner/formats/tune_result.h"

namespace rooftune {

struct Duration {
    std::string words;  ///< to follow the time: "before it to load and probe"; empty: the tune itself
    double seconds = 0.0;
};

/// The tune itself (search, finals and audit: what its budget counts), what came before it, and the waiting
/// for other processes, which neither of the two has. Without those that took less than a second, but for the
/// tune itself; empty where nothing is known.
std::vector<Duration> durations_of(const TuneResult& result);

}  // namespace rooftune
