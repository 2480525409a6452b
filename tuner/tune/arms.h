// Variants of one problem measured side by side, in rotation, for people and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tuner/base/notice.h"
#include "tuner/engine/tune_job.h"
#include "tuner/formats/strict_json.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

struct RunArm {
    std::string name;  ///< "tuned", "default"
    Variant variant;
};

struct ArmsReport {
    std::string table;        ///< for a terminal
    std::string below;        ///< sentences about the table, a paragraph; empty: it needs none
    TimeInterval first;       ///< seconds of the first arm; 0: it gave no time
    Json variants;            ///< one object an arm that was measured
    bool first_works = true;  ///< the first ran and answered rightly
    std::string traffic;  ///< what the processor counted for the first, a sentence; empty: it does not count
};

/// Adds an arm unless its variant is there already; then says which has its place, and nothing where that is
/// called the same: "The default variant has no row of its own: it is the tuned one."
std::string add_arm(std::vector<RunArm>& arms, const RunArm& arm);

/// Whether the tuned variant still takes the time that it took: "The tuned variant takes 15.4 % less time
/// than when it was tuned; …". Within the two intervals, or 3 %, it does. Empty where one is not known.
std::string since_tuned(const TimeInterval& then, const TimeInterval& now, const std::string& config);

/// Times are over those of the first arm, by the same rounds. What fails is said by `notice`.
ArmsReport measure_arms(const Setting& setting, const Job& job, const std::vector<RunArm>& arms,
                        double seconds, std::uint64_t seed, const Notice& notice);

}  // namespace rooftune
