#include "tuner/engine/machine_for.h"

#include <algorithm>

#include "tuner/base/interrupt.h"
#include "tuner/engine/setting.h"

namespace rooftune {

std::optional<MachineModel> machine_for(const std::vector<Job>& jobs, const CommonOptions& options,
                                        bool to_measure, const Notice& notice) {
    const std::vector<int> cpus = chosen_cpus(options);
    // A CPU device's threads inherit where they may run from the thread that finds it: before any is pinned.
    const bool device = std::any_of(jobs.begin(), jobs.end(), [&](const Job& job) {
        return backend_of(job, options) == Backend::opencl;
    });
    if (device) chosen_device(options, cpus);
    MachineModel machine = machine_model(options, cpus, notice);
    if (interrupted()) return std::nullopt;
    if (device && to_measure) know_device(machine, cpus, chosen_device(options, cpus), notice);
    if (interrupted()) return std::nullopt;
    return machine;
}

}  // namespace rooftune
