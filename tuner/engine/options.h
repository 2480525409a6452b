// Where something is measured and kept: which machine, which processors, which folders.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/vocabulary.h"

namespace rooftune {

struct CommonOptions {
    std::uint64_t seed = 1;
    std::string machine;  ///< file or preset; empty: this machine, measured
    int threads = 0;      ///< 0: all
    std::string cpus;     ///< "0,2-3"; empty: all
    std::string state = "warm";
    std::string backend;  ///< "cpu" or "opencl"; empty: the job's, else the CPU
    std::string device;   ///< OpenCL device by index, id or part of its name; empty: the first
    std::string results;  ///< folder of the store; empty: see results_folder()
    std::string out;      ///< folder for tuned configs; empty: below the results folder
};

/// The folder of the store, made absolute. By default results/local of $ROOFTUNE_HOME or, for what runs from
/// a checkout or its build folder, of the checkout; else where the user's programs keep their state:
/// $XDG_STATE_HOME/rooftune, or ~/.local/state/rooftune.
std::string results_folder(const CommonOptions& options);

/// Commands that texts suggest (tuner/base/suggested.h) name this folder from now on, where it is not the one
/// that they take by default.
void suggest_on(const std::string& results);

/// Processing units that a run may use: `cpus` within the affinity mask that this process started with, then
/// the first `threads` of them. Throws InputError.
std::vector<int> chosen_cpus(const CommonOptions& options);

/// The folder that configs/ lies in: $ROOFTUNE_HOME; PREFIX/share/rooftune of an installed program; the
/// checkout for what runs from it or from its build folder; else the share that this library was installed
/// with.
std::string home_folder();

}  // namespace rooftune
