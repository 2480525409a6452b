#include "tuner/cli/ladder_best.h"

#include <filesystem>

#include "kernels/runtime/error.h"
#include "tuner/cli/tune_job.h"

namespace rooftune {
namespace {

std::vector<track::ConfigFile> configs_in(const std::string& folder,
                                          const std::function<void(const std::string&)>& notice) {
    if (!std::filesystem::is_directory(folder)) return {};
    try {
        return track::configs_at(folder, notice);
    } catch (const InputError&) {
        return {};  // a folder without any config yet
    }
}

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

std::optional<track::ConfigFile> newest_config(const Job& job, const Problem& problem,
                                               const CommonOptions& common, const std::string& machine,
                                               const std::function<void(const std::string&)>& notice) {
    std::optional<track::ConfigFile> newest;
    for (const std::string& folder : {results_folder(common), output_folder(common)}) {
        for (track::ConfigFile& file : configs_in(folder, notice)) {
            if (!is_wanted(file.config.result, job, problem, common, machine)) continue;
            if (!newest || newest->config.created < file.config.created) newest = std::move(file);
        }
    }
    return newest;
}

}  // namespace rooftune
