#include "tuner/engine/audited_ratios.h"

#include <nlohmann/json.hpp>

namespace rooftune {

std::vector<double> audited_ratios(Store& store, const JobKey& key) {
    constexpr int kMostRuns = 30;  // older ones were made with older ceilings
    std::vector<double> ratios;
    for (const std::string& text : store.lately(key, "$.certificate.audit.set_aside.ratios", kMostRuns)) {
        const auto seen = nlohmann::json::parse(text, nullptr, false);
        if (!seen.is_array()) continue;
        for (const auto& ratio : seen) {
            if (ratio.is_number()) ratios.push_back(ratio.get<double>());
        }
    }
    return ratios;
}

}  // namespace rooftune
