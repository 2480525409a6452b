// Tuned configs of two sides, paired by what they were tuned for.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tuner/config/tuned_config.h"

namespace rooftune::track {

struct ConfigFile {
    std::string path;
    TunedConfig config;
};

/// Where a side's configs are: the file itself, or those of a folder and of its folder `tuned` (a results
/// folder). Other files of a folder are passed over; `notice` is told of a config there that cannot be read.
/// Of several for one problem the newest counts. Sorted by title. Throws InputError for a path that is not
/// there, a file that is no tuned config, and a folder without one.
std::vector<ConfigFile> configs_at(const std::string& path,
                                   const std::function<void(const std::string&)>& notice);

struct ConfigPair {
    ConfigFile base, candidate;
};

struct Pairing {
    std::vector<ConfigPair> pairs;
    std::vector<std::string> only_base, only_candidate;  ///< titles
};

/// Pairs are of one family, problem (by digest), backend and caches' state. `kernels` keeps those whose title
/// or family contains one of the texts; empty keeps all.
Pairing pair_up(const std::vector<ConfigFile>& base, const std::vector<ConfigFile>& candidate,
                const std::vector<std::string>& kernels);

}  // namespace rooftune::track
