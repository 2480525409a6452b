// What disturbs measuring, as findings with advice.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuner/ceilings/load.h"

namespace rooftune {

enum class Severity {
    fine,     ///< as it should be
    note,     ///< good to know; nothing to do, or nothing that can be done here
    warning,  ///< measurements suffer
    problem,  ///< measurements are not to be trusted
};
std::string_view to_text(Severity s);

struct Finding {
    Severity severity = Severity::fine;
    std::string what;    ///< the thing looked at: "stolen time"
    std::string detail;  ///< what was seen
    std::string advice;  ///< what to do; empty when there is nothing to do
};

/// Findings from what happened on our processors during the sample.
std::vector<Finding> check_load(const LoadReport& load, double seconds);

}  // namespace rooftune
