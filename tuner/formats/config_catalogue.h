// The tuned configs and tuned sets at a path. Whoever takes a folder of them (compare, track, verify, ladder,
// report, programs) lists it here, so that all find the same files and none overlooks what cannot be read.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "tuner/base/notice.h"
#include "tuner/formats/tuned_config.h"
#include "tuner/formats/tuned_set.h"

namespace rooftune {

/// JSON that is neither tuned config nor tuned set.
struct OtherDocument {
    std::string kind;  ///< "rooftune/tune-result/4"; empty: no document of ours
};

/// A file that is torn, of another version, or may not be read.
struct Unreadable {
    std::string why;      ///< begins with the file
    bool is_set = false;  ///< it says that it is a tuned set
};

struct CatalogueEntry {
    std::string path;
    std::variant<TunedConfig, TunedSet, OtherDocument, Unreadable> what;
};

struct ConfigCatalogue {
    std::vector<CatalogueEntry> entries;
    std::vector<std::string> closed;  ///< folders that could not be listed: "FOLDER: cannot be read: why"
};

/// Of a folder the files *.json in it and then those in its folder `tuned` (a results folder), each in order
/// of their names; any other path is one entry. Files that cannot be read and folders that cannot be listed
/// to their end are in the catalogue; what ends it is want of memory.
ConfigCatalogue catalogue_at(const std::string& path);

/// Throws EnvironmentError, with what to do, where a folder could not be listed.
void check_open(const ConfigCatalogue& catalogue);

struct ConfigFile {
    std::string path;
    TunedConfig config;
};

/// The tuned configs alone, in order of their paths. `notice` is told of each folder and each file, but for
/// sets, that could not be read.
std::vector<ConfigFile> configs_in(ConfigCatalogue catalogue, const Notice& notice);

/// For a command that needs tuned configs: the file itself, or those of a folder, where `notice` is told of
/// files that could not be read. Throws InputError for a path that is not there, a file that is no tuned
/// config, and a folder without one; EnvironmentError for a folder that cannot be listed.
std::vector<ConfigFile> configs_at(const std::string& path, const Notice& notice);

/// Equal where two results are of one problem in one setting: machine, family, problem, backend, device,
/// state of the caches, threads.
using TunedSetting = std::tuple<std::string, std::string, std::map<std::string, std::string>, std::string,
                                std::string, std::string, int>;
TunedSetting setting_of(const TuneResult& result);

/// For each of these keys and dates (UTC, ISO 8601) the place of the newest of its key; of equally old ones
/// the first.
template <typename Key>
std::vector<std::size_t> newest_of_each(const std::vector<std::pair<Key, std::string>>& dated) {
    std::map<Key, std::size_t> newest;
    for (std::size_t i = 0; i < dated.size(); ++i) {
        std::size_t& place = newest.try_emplace(dated[i].first, i).first->second;
        // Dates are written so that later ones compare greater.
        if (dated[place].second < dated[i].second) place = i;
    }
    std::vector<std::size_t> places;
    for (const auto& [key, date] : dated) places.push_back(newest.at(key));
    return places;
}

/// Keeps the newest config of each key. `key_of` takes a TuneResult.
template <typename KeyOf>
void keep_newest(std::vector<ConfigFile>& files, KeyOf key_of) {
    std::vector<std::pair<decltype(key_of(files.front().config.result)), std::string>> dated;
    for (const ConfigFile& file : files) dated.emplace_back(key_of(file.config.result), file.config.created);
    const std::vector<std::size_t> newest = newest_of_each(dated);
    std::vector<ConfigFile> kept;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (newest[i] == i) kept.push_back(std::move(files[i]));
    }
    files = std::move(kept);
}

}  // namespace rooftune
