// Variants of one problem measured side by side, in rotation, for people and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tuner/base/notice.h"
#include "tuner/engine/tune_job.h"
#include "tuner/formats/strict_json.h"

namespace rooftune {

struct RunArm {
    std::string name;  ///< "tuned", "default"
    Variant variant;
};

struct ArmsReport {
    std::string table;        ///< for a terminal
    Json variants;            ///< one object an arm that was measured
    bool first_works = true;  ///< the first ran and answered rightly
    std::string traffic;  ///< what the processor counted for the first, a sentence; empty: it does not count
};

/// Times are over those of the first arm, by the same rounds. What fails is said by `notice`.
ArmsReport measure_arms(const Setting& setting, const Job& job, const std::vector<RunArm>& arms,
                        double seconds, std::uint64_t seed, const Notice& notice);

}  // namespace rooftune
