// A problem with everything that is derived from it before anything is measured.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/space_offer.h"
#include "tuner/engine/job.h"
#include "tuner/engine/options.h"
#include "tuner/measure/protocol.h"
#include "tuner/store/job_key.h"

namespace rooftune {

struct Setting {
    const Family* family = nullptr;
    std::shared_ptr<Problem> problem;
    Target target;
    std::vector<int> cpus;
    State state = State::warm;
    std::unique_ptr<Space> space;  ///< whole: with the values that are held back at first
    /// What a search begins with: parameters that `only` or a constraint names are on offer whole.
    SpaceOffer offer;
    std::unique_ptr<WorkModel> model;
    Variant naive, fallback;
    /// A sentence that names those of the two that `only` or a constraint leaves out of the space; empty if
    /// none.
    std::string references_left_out;

    /// Bytes of one repetition: what a problem's own ceilings are probed at.
    Bytes footprint() const;
};

/// Backend of a job: the command line's --backend, else the job's, else the CPU. Throws InputError when the
/// family has no variants for it.
Backend backend_of(const Job& job, const CommonOptions& options);

/// The OpenCL device that --device names, the first without it. Throws InputError for one that is not
/// there and EnvironmentError when there is none at all.
Device chosen_device(const CommonOptions& options, const std::vector<int>& cpus);

/// Throws InputError for what is wrong with `only` and the job's constraints on this problem here. Quick, and
/// needs no ceilings: asked before time is spent on any.
void check_cuts(const Job& job, const CommonOptions& options, const std::vector<std::string>& only,
                const Problem& problem);

/// Loads and derives; `only` cuts the space ("parameter=value|value", several between commas). Naive and
/// default variant may lie outside of what is left. Throws InputError.
Setting make_setting(const Job& job, const CommonOptions& options, const std::vector<std::string>& only,
                     const Machine& machine);

/// Ceilings that this problem's bounds need, without values: what is probed before its tune.
std::vector<Ceiling> own_ceilings(const Setting& setting, const Topology& topology);

/// What only the second tier rests on: walks with loads besides, of kernels that walk their data once for
/// each repetition (models/joint_rate.h). None for products, devices, cold caches, less than a MiB, and
/// gathers of f32; scalar loads in their place where vectors do not gather.
std::vector<Ceiling> joint_ceilings(const Setting& setting, const Topology& topology);

/// What only ranks this problem's variants (latency, gathers from its own footprint), where the machine has
/// no ceiling for it or one older than a day at `now`. Without rates.
std::vector<Ceiling> ranking_ceilings(const Setting& setting, const Machine& machine, const std::string& now);

/// What makes two tunes of this problem the same job, on this machine.
JobKey key_of(const Setting& setting, const Machine& machine);

/// What a worker is told first.
WorkerSetup worker_setup(const Setting& setting, const Job& job);

/// A problem as its workers map it, for as long as this lives.
class SharedProblem {
public:
    explicit SharedProblem(const Setting& setting);
    ~SharedProblem();
    SharedProblem(const SharedProblem&) = delete;
    SharedProblem& operator=(const SharedProblem&) = delete;
    /// -1 where the problem is cheaper to load from its spec.
    int descriptor() const { return descriptor_; }

private:
    int descriptor_;
};

}  // namespace rooftune
