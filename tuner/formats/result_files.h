// Files that hold results, of every kind: tuned configs, tuned sets and what `tune --json` printed.
#pragma once

#include <string>
#include <vector>

#include "tuner/formats/config_catalogue.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

/// A result with where it is from.
struct ResultFile {
    TuneResult result;
    std::string file;     ///< as it was opened
    std::string created;  ///< UTC, ISO 8601; empty where the file does not say, as output of `tune --json`
    std::string compiler, kernels_build;  ///< likewise
};

/// The results at the paths, in order. A tuned set stands for the configs that it names, a folder for the
/// newest tuned config of each problem and setting in it and in its folder `tuned`, less those that are named
/// or stand here already; `notice` is told of files of a folder that cannot be read. Reads strictly: throws
/// InputError with file, JSON pointer, what was expected and found, where a set has no config, and for a
/// folder without any; EnvironmentError for a folder that cannot be listed.
std::vector<ResultFile> read_result_files(const std::vector<std::string>& paths, const Notice& notice);

}  // namespace rooftune
