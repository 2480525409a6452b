#include "tuner/formats/result_files.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "kernels/runtime/error.h"
#include "tuner/base/folder.h"
#include "tuner/formats/result_json.h"
#include "tuner/formats/schema_kind.h"
#include "tuner/formats/tuned_config.h"
#include "tuner/formats/tuned_set.h"

namespace rooftune {
namespace {

void add(std::vector<ResultFile>& all, const std::string& path);

ResultFile result_of(ConfigFile file) {
    TunedConfig& config = file.config;
    return {std::move(config.result), std::move(file.path), std::move(config.created),
            std::move(config.compiler), std::move(config.kernels_build)};
}

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
        all.push_back(result_of({path, tuned_config_from(document, path)}));
    } else {
        for (TuneResult& result : read_results(path)) all.push_back({std::move(result), path, "", "", ""});
    }
}

void add_folder(std::vector<ResultFile>& all, const std::string& path, std::set<std::string> here,
                const Notice& notice) {
    for (const ResultFile& file : all) here.insert(file_identity(file.file));
    std::vector<ConfigFile> files = configs_at(path, notice);
    keep_newest(files, setting_of);
    for (ConfigFile& file : files) {
        if (!here.contains(file_identity(file.path))) all.push_back(result_of(std::move(file)));
    }
}

}  // namespace

std::vector<ResultFile> read_result_files(const std::vector<std::string>& paths, const Notice& notice) {
    std::set<std::string> named;
    for (const std::string& path : paths) named.insert(file_identity(path));
    std::vector<ResultFile> all;
    for (const std::string& path : paths) {
        std::error_code none;
        if (std::filesystem::is_directory(path, none))
            add_folder(all, path, named, notice);
        else if (paths.size() > 1 && path.ends_with(".ladder.json"))
            notice(path + ": is a ladder and no result; passed over");  // tuned/*.json has them, too
        else
            add(all, path);
    }
    return all;
}

}  // namespace rooftune
