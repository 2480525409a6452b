#include "tuner/ladder/ladder_best.h"

#include <filesystem>

#include "tuner/engine/tune_job.h"

namespace rooftune {
namespace {

bool is_wanted(const TuneResult& r, const Job& job, const Problem& problem, const CommonOptions& common,
               const std::string& machine) {
    const std::string state = job.state.empty() ? common.state : job.state;
    if (r.family != job.family->name() || r.digest != problem.digest() || r.state != state ||
        r.machine_id != machine || r.backend != to_text(backend_of(job, common)))
        return false;
    if (r.backend == "opencl") {
        return common.device.empty() || r.device == chosen_device(common, chosen_cpus(common)).name;
    }
    const bool asked = common.threads > 0 || !common.cpus.empty();
    return !asked || r.threads == static_cast<int>(chosen_cpus(common).size());
}

}  // namespace

std::optional<ConfigFile> newest_config(const Job& job, const Problem& problem, const CommonOptions& common,
                                        const std::string& machine, const Notice& notice) {
    std::optional<ConfigFile> newest;
    for (const std::string& folder : {results_folder(common), output_folder(common)}) {
        // Before the first tune there is none.
        if (!std::filesystem::is_directory(folder)) continue;
        for (ConfigFile& file : configs_in(catalogue_at(folder), notice)) {
            if (!is_wanted(file.config.result, job, problem, common, machine)) continue;
            if (!newest || newest->config.created < file.config.created) newest = std::move(file);
        }
    }
    return newest;
}

}  // namespace rooftune
