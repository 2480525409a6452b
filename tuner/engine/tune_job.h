// One job from problem to tuned config: the life of a job of the design.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tuner/engine/assisted_evaluator.h"
#include "tuner/engine/job.h"
#include "tuner/engine/machine_model.h"
#include "tuner/engine/recent_probes.h"
#include "tuner/engine/recording_evaluator.h"
#include "tuner/engine/setting.h"
#include "tuner/engine/warm_start.h"
#include "tuner/formats/tune_result.h"
#include "tuner/formats/tuned_set.h"
#include "tuner/search/search.h"
#include "tuner/search/tune_observer.h"

namespace rooftune {

/// What the problems of a job share: what the ones before know, and what this one leaves for the next.
struct Companions {
    std::vector<const WarmStart*> neighbours;  ///< of like problems, the nearest first; may be empty
    RecentProbes* probes = nullptr;            ///< of the whole job; never null
    /// The problem's own search goes on from this result: what it has is not replaced by one that was
    /// interrupted, and times and measurements are told of both parts together, in whatever is written. Null:
    /// it begins.
    const TuneResult* before = nullptr;
    RecordTap* tap = nullptr;    ///< hears of every measurement; may be null
    Helpers* helpers = nullptr;  ///< measure what may come next; may be null
    int most_helpers = 0;
    std::function<void(const Space&)> on_space{};  ///< told of what the variants to be measured are of
    std::vector<std::string> banned;  ///< variants in quarantine beside those that the store knows
    /// Variants by names and values that are measured first, as they are in this space.
    std::vector<std::map<std::string, std::string>> starts;
    // Filled in by the tune:
    WarmStart warm_start;
    std::optional<LeftOut> left_out;  ///< against the first neighbour
    std::string stem;                 ///< of the files of the problem
};

/// Tunes one job. `observer` and `companions` may be null. Throws InputError and EnvironmentError.
TuneResult tune_job(const Job& job, const TuneOptions& options, MachineModel& machine,
                    TuneObserver* observer = nullptr, Companions* companions = nullptr);

/// Writes tuned config, header and plot into the folder, under this name, and notes in `result` where they
/// are. A result without a winner leaves what an earlier one found. Throws EnvironmentError.
void write_result_files(TuneResult& result, const Machine& machine, const std::string& folder,
                        const std::string& stem);

/// Folder of tuned configs, absolute.
std::string output_folder(const CommonOptions& options);

}  // namespace rooftune
