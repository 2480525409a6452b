// The machine that a command bounds by: a file, a preset, or this one as measured and remembered.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/machine.h"
#include "tuner/base/notice.h"
#include "tuner/engine/options.h"

namespace rooftune {

struct MachineModel {
    Machine machine;
    std::string path;      ///< where it is kept
    bool measured = true;  ///< false: a file or preset named by the user, never written to
};

/// The machine of --machine, or this one from `machines/` of the results folder. One that is not
/// known yet gets the quick model first, which `notice` announces. Throws InputError or EnvironmentError.
MachineModel machine_model(const CommonOptions& options, const std::vector<int>& cpus, const Notice& notice);

/// A machine that a question names: a preset, a file, a measured machine by its name in the results folder,
/// or "this" (also "host") as it was measured. Throws InputError where there is none; measures nothing.
Machine machine_by_name(const CommonOptions& options, const std::string& name, const std::string& flag);

/// This machine as it was measured, without ceilings where it was not; measures nothing. Throws InputError
/// for a file of it that cannot be read.
Machine this_machine(const CommonOptions& options);

/// Throws InputError where the machine of --machine is what documents say of one, on which nothing can be
/// measured.
void refuse_preset(const MachineModel& model, const CommonOptions& options);

/// Makes sure that the device's ceilings are in the model: measures the quick set of them where they are not
/// known yet, which `notice` announces. Nothing to do for a machine from a file that was named.
void know_device(MachineModel& model, const std::vector<int>& cpus, const Device& device,
                 const Notice& notice);

/// Measures this machine into its file, saving as probes finish; stored maxima never fall.
MachineModel probe_this_machine(const CommonOptions& options, const std::vector<int>& cpus, bool quick,
                                const std::function<void(double share, const std::string& what)>& progress);

/// Measures a device into the machine's file: the quick set of ceilings, or the full one.
void probe_device(MachineModel& model, const std::vector<int>& cpus, const Device& device, bool quick,
                  const std::function<void(double share, const std::string& what)>& progress);

/// Adds what a run's probes found to the model and to the machine's file: maxima are merged with what is
/// there now, since another process may have written in between. `after` may hold a part of the
/// ceilings (one backend's). A machine that the user named is never written to.
void remember(MachineModel& model, const Machine& after);

/// Path of a preset or file named on the command line by `flag`; throws InputError with the nearest preset.
std::string machine_path(const std::string& name, const std::string& flag = "--machine");

}  // namespace rooftune
