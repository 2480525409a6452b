#include "tuner/cli/audit_history.h"

#include <nlohmann/json.hpp>
#include <set>

#include "kernels/runtime/error.h"
#include "tuner/config/result_json.h"

namespace rooftune {

std::vector<double> audited_ratios(Store& store, const JobKey& key) {
    constexpr std::size_t kMostRuns = 30;  // older ones were made with older ceilings
    std::set<JobId> like;
    for (const JobSummary& job : store.jobs()) {
        if (job.key.family == key.family && job.key.backend == key.backend &&
            job.key.machine_id == key.machine_id) {
            like.insert(job.id);
        }
    }
    const std::vector<RunSummary> runs = store.runs();
    std::vector<double> ratios;
    std::size_t read = 0;
    for (auto run = runs.rbegin(); run != runs.rend() && read < kMostRuns; ++run) {
        if (run->result.empty() || !like.contains(run->job)) continue;
        try {
            const Json document = parse_json(run->result, "the store");
            const TuneResult result = result_from(StrictObject(document, "the store"));
            const std::vector<double>& seen = result.certificate.audit.set_aside.ratios;
            ratios.insert(ratios.end(), seen.begin(), seen.end());
            ++read;
        } catch (const InputError&) {
            continue;
        }
    }
    return ratios;
}

}  // namespace rooftune
