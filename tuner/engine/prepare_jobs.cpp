#include "tuner/engine/prepare_jobs.h"

#include <algorithm>

#include "kernels/runtime/error.h"
#include "tuner/base/clock.h"
#include "tuner/base/interrupt.h"
#include "tuner/engine/setting.h"

namespace rooftune {
namespace {

void leave_out_impossible(std::vector<Job>& jobs, const CommonOptions& common, const Notice& notice) {
    std::erase_if(jobs, [&](const Job& job) {
        if (backend_of(job, common) != Backend::opencl) return false;
        try {
            chosen_device(common, chosen_cpus(common));
            return false;
        } catch (const EnvironmentError& error) {
            if (!job.optional) throw;
            notice("left out " + std::string(job.family->name()) + " on OpenCL: " + error.what());
            return true;
        }
    });
}

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
    if (to_measure) refuse_preset(machine, options);
    if (device && to_measure) know_device(machine, cpus, chosen_device(options, cpus), notice);
    if (interrupted()) return std::nullopt;
    return machine;
}

std::vector<CommonOptions> with_threads(const CommonOptions& options, const std::vector<int>& counts) {
    std::vector<CommonOptions> all(std::max<std::size_t>(1, counts.size()), options);
    for (std::size_t i = 0; i < counts.size(); ++i) all[i].threads = counts[i];
    return all;
}

// A cut may leave nothing of the space of one number of threads, and enough of that of another.
void check_cuts_on(const CommonOptions& options, const Job& job, const std::vector<std::string>& only,
                   const Problem& problem, bool says_which) {
    try {
        check_cuts(job, options, only, problem);
    } catch (const InputError& error) {
        if (!says_which) throw;
        throw InputError("with --threads " + std::to_string(options.threads) + ": " + error.what());
    }
}

}  // namespace

std::vector<ProblemSketch> check_jobs(std::vector<Job>& jobs, const TuneOptions& options, bool here,
                                      const Notice& notice, const std::vector<int>& thread_counts) {
    check_options(options);
    const std::vector<CommonOptions> each = with_threads(options.common, thread_counts);
    if (here) {
        for (const CommonOptions& one : each) chosen_cpus(one);
        // A CPU's device is found once, on the processors that it will run on: those of the first number.
        leave_out_impossible(jobs, each.front(), notice);
    }
    std::vector<ProblemSketch> sketches;
    for (Job& job : jobs) {
        check_budget(job.budget);
        const double begun = monotonic_seconds();
        std::shared_ptr<Problem> problem = job.family->problem(job.problem);
        if (jobs.size() == 1) job.loading_seconds = monotonic_seconds() - begun;
        // What is left of a space depends on the machine.
        for (const CommonOptions& one : each) {
            if (here) check_cuts_on(one, job, options.only, *problem, each.size() > 1);
        }
        sketches.push_back(sketch_of(job, *problem, each.front()));
        if (jobs.size() == 1) job.loaded = std::move(problem);
    }
    return sketches;
}

PreparedJobs prepare_jobs(std::vector<Job>& jobs, const TuneOptions& options, bool to_measure,
                          const Notice& notice, const std::vector<int>& thread_counts) {
    PreparedJobs prepared;
    prepared.sketches = check_jobs(jobs, options, true, notice, thread_counts);
    // The last one has what all of them measured.
    for (const CommonOptions& one : with_threads(options.common, thread_counts)) {
        prepared.machine = machine_for(jobs, one, to_measure, notice);
        if (!prepared.machine) break;
    }
    return prepared;
}

}  // namespace rooftune
