// Files that hold results, of every kind: tuned configs, tuned sets and what `tune --json` printed.
#pragma once

#include <string>
#include <vector>

#include "tuner/config/tune_result.h"

namespace rooftune {

/// A result with where it is from.
struct ResultFile {
    TuneResult result;
    std::string file;     ///< as it was opened
    std::string created;  ///< UTC, ISO 8601; empty where the file does not say, as output of `tune --json`
    std::string compiler, kernels_build;  ///< likewise
};

/// The results in the files, in order; a tuned set stands for the configs that it names. Reads strictly:
/// throws InputError with file, JSON pointer, what was expected and found, and where a set has no config.
std::vector<ResultFile> read_result_files(const std::vector<std::string>& paths);

}  // namespace rooftune
