// One job from problem to tuned config: the life of a job of the design.
#pragma once

#include <memory>
#include <string>

#include "tuner/cli/job.h"
#include "tuner/cli/machine_model.h"
#include "tuner/cli/options.h"
#include "tuner/cli/recent_probes.h"
#include "tuner/config/tune_result.h"
#include "tuner/config/tuned_set.h"
#include "tuner/measure/protocol.h"
#include "tuner/search/search.h"
#include "tuner/transfer/lesson.h"

namespace rooftune {

/// The search that bounds guide; every other strategy has its name from the registry.
inline constexpr std::string_view kByBounds = "bounds";

struct TuneOptions {
    CommonOptions common;
    double epsilon = 0.03;
    int patience = 0;  ///< 0: usual_patience() of the space, taught_patience() with neighbours
    int audit = 60;
    double finals_seconds = 0.0;  ///< at most; 0: a share of the budget
    bool fresh = false;
    bool no_bounds = false;
    bool exhaustive = false;
    std::vector<std::string> only;    ///< "parameter=value|value": cuts of the space
    std::string strategy = "bounds";  ///< or a name in strategy_kinds()
    std::string trace;                ///< file for the search's trace; empty: none
};

/// A problem with everything derived from it before anything is measured.
struct Setting {
    const Family* family = nullptr;
    std::shared_ptr<Problem> problem;
    Target target;
    std::vector<int> cpus;
    State state = State::warm;
    std::unique_ptr<Space> space;
    std::unique_ptr<WorkModel> model;
    Variant naive, fallback;

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

/// Loads and derives; `only` cuts the space ("parameter=value|value"). Throws InputError.
Setting make_setting(const Job& job, const CommonOptions& options, const std::vector<std::string>& only,
                     const Machine& machine);

/// Ceilings that this problem's bounds need, without values: what is probed before its tune.
std::vector<Ceiling> own_ceilings(const Setting& setting, const Topology& topology);

/// What only ranks this problem's variants (latency, gathers from its own footprint), where the machine has
/// no ceiling for it or one older than a day at `now`. Without rates.
std::vector<Ceiling> ranking_ceilings(const Setting& setting, const Machine& machine, const std::string& now);

/// What the problems of a job share: what the ones before know, and what this one leaves for the next.
struct Companions {
    std::vector<const Lesson*> neighbours;  ///< of like problems, the nearest first; may be empty
    RecentProbes* probes = nullptr;         ///< of the whole job; never null
    /// The problem's own search goes on: what it has is not replaced by one that was interrupted.
    bool again = false;
    // Filled in by the tune:
    Lesson lesson;
    std::optional<LeftOut> left_out;  ///< against the first neighbour
};

/// Tunes one job. Progress and notices go to standard error. Throws InputError and EnvironmentError.
TuneResult tune_job(const Job& job, const TuneOptions& options, MachineModel& machine,
                    Companions* companions = nullptr);

/// Folder of tuned configs, absolute.
std::string output_folder(const CommonOptions& options);

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

/// The variants with the least bounds, as a table; nothing is measured.
std::string dry_run(const Job& job, const TuneOptions& options, const MachineModel& machine);

/// Path of the running program, which workers are started from.
std::string this_program();

}  // namespace rooftune
