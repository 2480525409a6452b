// The machine that a command bounds by: a file, a preset, or this one as measured and remembered.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/machine.h"
#include "tuner/cli/options.h"

namespace rooftune {

struct MachineModel {
    Machine machine;
    std::string path;      ///< where it is kept
    bool measured = true;  ///< false: a file or preset named by the user, never written to
};

/// The machine of --machine, or this one from `machines/` of the results folder. One that is not
/// known yet gets the quick model first, which `notice` announces. Throws InputError or EnvironmentError.
MachineModel machine_model(const CommonOptions& options, const std::vector<int>& cpus,
                           const std::function<void(const std::string&)>& notice);

/// Measures this machine into its file, saving as probes finish; stored maxima never fall.
MachineModel probe_this_machine(const CommonOptions& options, const std::vector<int>& cpus, bool quick,
                                const std::function<void(double share, const std::string& what)>& progress);

/// Adds what a run's probes found to the machine's file: maxima are merged with what is there now,
/// since another process may have written in between.
void remember(const MachineModel& model, const Machine& after);

/// Path of a preset or file named on the command line; throws InputError with the nearest preset.
std::string machine_path(const std::string& name);

}  // namespace rooftune
