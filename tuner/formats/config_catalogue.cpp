#include "tuner/formats/config_catalogue.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/base/folder.h"
#include "tuner/formats/schema_kind.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

std::string schema_of_ours(const Json& document) {
    if (!document.is_object()) return "";
    const auto schema = document.find("schema");
    if (schema == document.end() || !schema->is_string()) return "";
    const auto& text = schema->get_ref<const std::string&>();
    return text.starts_with("rooftune/") ? text : "";
}

CatalogueEntry entry_of(const std::string& file) {
    bool is_set = false;
    try {
        const Json document = read_json_file(file);
        if (claims_to_be(document, kTunedConfigSchema)) return {file, tuned_config_from(document, file)};
        is_set = claims_to_be(document, kTunedSetSchema);
        if (is_set) return {file, tuned_set_from(document, file)};
        return {file, OtherDocument{schema_of_ours(document)}};
    } catch (const InputError& error) {
        return {file, Unreadable{error.what(), is_set}};
    } catch (const EnvironmentError& error) {
        return {file, Unreadable{error.what(), is_set}};
    }
}

}  // namespace

ConfigCatalogue catalogue_at(const std::string& path) {
    ConfigCatalogue catalogue;
    std::error_code none;
    if (!fs::is_directory(path, none)) {
        catalogue.entries.push_back(entry_of(path));
        return catalogue;
    }
    for (const fs::path& folder : {fs::path(path), fs::path(path) / "tuned"}) {
        std::vector<std::string> files;
        try {
            files = json_files(folder.string());
        } catch (const EnvironmentError& error) {
            catalogue.closed.push_back(error.what());
        }
        for (const std::string& file : files) catalogue.entries.push_back(entry_of(file));
    }
    return catalogue;
}

void check_open(const ConfigCatalogue& catalogue) {
    if (!catalogue.closed.empty())
        throw EnvironmentError(catalogue.closed.front() + "; make it readable, or name files in it");
}

std::vector<ConfigFile> configs_in(ConfigCatalogue catalogue, const Notice& notice) {
    for (const std::string& why : catalogue.closed) notice(why + "; what is in it is left out");
    std::vector<ConfigFile> files;
    for (CatalogueEntry& entry : catalogue.entries) {
        if (auto* config = std::get_if<TunedConfig>(&entry.what))
            files.push_back({std::move(entry.path), std::move(*config)});
        else if (const auto* unreadable = std::get_if<Unreadable>(&entry.what);
                 unreadable && !unreadable->is_set)
            notice(unreadable->why + "; it is left out");
    }
    std::sort(files.begin(), files.end(),
              [](const ConfigFile& a, const ConfigFile& b) { return a.path < b.path; });
    return files;
}

std::vector<ConfigFile> configs_at(const std::string& path, const Notice& notice) {
    std::error_code none;
    if (fs::status(path, none).type() == fs::file_type::not_found) {
        throw InputError(path +
                         ": there is no such file or folder; name a tuned config that `rooftune tune` "
                         "wrote, or a folder of them");
    }
    if (!fs::is_directory(path, none)) return {{path, read_tuned_config(path)}};
    ConfigCatalogue catalogue = catalogue_at(path);
    check_open(catalogue);
    std::vector<ConfigFile> files = configs_in(std::move(catalogue), notice);
    if (files.empty())
        throw InputError(
            path +
            ": there is no tuned config in this folder, nor in its folder tuned/; `rooftune tune --results " +
            path + "` makes some");
    return files;
}

TunedSetting setting_of(const TuneResult& r) {
    return {r.machine_id, r.family, r.problem, r.backend, r.device, r.state, r.threads};
}

}  // namespace rooftune
