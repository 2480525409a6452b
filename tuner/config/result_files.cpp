#include "tuner/config/result_files.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/config/result_json.h"
#include "tuner/config/schema_kind.h"
#include "tuner/config/tuned_config.h"
#include "tuner/config/tuned_set.h"

namespace rooftune {
namespace {

void add(std::vector<ResultFile>& all, const std::string& path);

void add_set(std::vector<ResultFile>& all, const Json& document, const std::string& path) {
    const TunedSet set = tuned_set_from(document, path);
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    const std::size_t before = all.size();
    for (const TunedGroup& group : set.groups) {
        for (const TunedProblem& problem : group.problems) {
            const std::string config = (folder / problem.config).string();
            if (!std::filesystem::exists(config)) {
                throw InputError(path + ": names the config " + problem.config +
                                 ", which is not beside it; keep a tuned set in one folder with its configs");
            }
            if (is_tuned_set(config))
                throw InputError(path + ": names " + problem.config + ", which is a set");
            add(all, config);
        }
    }
    if (all.size() == before) throw InputError(path + ": this tuned set holds no tuned problem");
}

void add(std::vector<ResultFile>& all, const std::string& path) {
    const Json document = read_json_file(path);
    if (claims_to_be(document, kTunedSetSchema)) {
        add_set(all, document, path);
    } else if (claims_to_be(document, kTunedConfigSchema)) {
        TunedConfig config = tuned_config_from(document, path);
        all.push_back(
            {std::move(config.result), path, config.created, config.compiler, config.kernels_build});
    } else {
        for (TuneResult& result : read_results(path)) all.push_back({std::move(result), path, "", "", ""});
    }
}

}  // namespace

std::vector<ResultFile> read_result_files(const std::vector<std::string>& paths) {
    std::vector<ResultFile> all;
    for (const std::string& path : paths) add(all, path);
    return all;
}

}  // namespace rooftune
