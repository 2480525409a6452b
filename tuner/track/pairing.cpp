#include "tuner/track/pairing.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "kernels/runtime/error.h"
#include "tuner/config/schema_kind.h"

namespace rooftune::track {
namespace {

namespace fs = std::filesystem;

using Key = std::tuple<std::string, std::string, std::string, std::string>;

Key key_of(const ConfigFile& file) {
    const TuneResult& r = file.config.result;
    return {r.family, r.digest, r.backend, r.state};
}

std::vector<std::string> json_files(const std::string& folder) {
    std::vector<std::string> paths;
    for (const fs::path& place : {fs::path(folder), fs::path(folder) / "tuned"}) {
        std::error_code none;
        for (const auto& entry : fs::directory_iterator(place, none)) {
            if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
        }
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

bool is_wanted(const ConfigFile& file, const std::vector<std::string>& kernels) {
    const TuneResult& r = file.config.result;
    return kernels.empty() || std::any_of(kernels.begin(), kernels.end(), [&](const std::string& text) {
               return r.title.find(text) != std::string::npos || r.family.find(text) != std::string::npos;
           });
}

}  // namespace

std::vector<ConfigFile> configs_at(const std::string& path,
                                   const std::function<void(const std::string&)>& notice) {
    std::error_code none;
    if (!fs::is_directory(path, none)) return {{path, read_tuned_config(path)}};
    std::map<Key, ConfigFile> newest;
    for (const std::string& file : json_files(path)) {
        try {
            // Folders hold sets and results as well.
            if (!claims_to_be(read_json_file(file), kTunedConfigSchema)) continue;
            ConfigFile found{file, read_tuned_config(file)};
            const auto [at, is_first] = newest.try_emplace(key_of(found), found);
            // Dates are written so that later ones compare greater.
            if (!is_first && at->second.config.created < found.config.created) at->second = std::move(found);
        } catch (const InputError& error) {
            notice(std::string(error.what()) + "; it is left out");
        }
    }
    if (newest.empty()) {
        throw InputError(
            path +
            ": there is no tuned config in this folder, nor in its folder tuned/; `rooftune tune --results " +
            path + "` makes some");
    }
    std::vector<ConfigFile> files;
    for (auto& [key, file] : newest) files.push_back(std::move(file));
    std::stable_sort(files.begin(), files.end(), [](const ConfigFile& a, const ConfigFile& b) {
        return a.config.result.title < b.config.result.title;
    });
    return files;
}

Pairing pair_up(const std::vector<ConfigFile>& base, const std::vector<ConfigFile>& candidate,
                const std::vector<std::string>& kernels) {
    std::map<Key, const ConfigFile*> there;
    for (const ConfigFile& file : candidate) {
        if (is_wanted(file, kernels)) there[key_of(file)] = &file;
    }
    Pairing pairing;
    for (const ConfigFile& file : base) {
        if (!is_wanted(file, kernels)) continue;
        const auto other = there.find(key_of(file));
        if (other == there.end()) {
            pairing.only_base.push_back(file.config.result.title);
        } else {
            pairing.pairs.push_back({file, *other->second});
            there.erase(other);
        }
    }
    for (const ConfigFile& file : candidate) {
        if (there.contains(key_of(file)) && is_wanted(file, kernels))
            pairing.only_candidate.push_back(file.config.result.title);
    }
    return pairing;
}

}  // namespace rooftune::track
