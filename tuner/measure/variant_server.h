// Prepares, verifies and times the variants of one problem, in the process that holds it: what a worker does
// on request, and a program that tunes functions of its own does itself.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/registry.h"
#include "tuner/base/stopwatch.h"
#include "tuner/measure/lull.h"
#include "tuner/measure/protocol.h"

namespace rooftune {

/// Measures ceilings again on the server's own team, for about so many seconds.
using Reprobe = std::function<std::vector<Ceiling>(const std::vector<Ceiling>&, Team&, double seconds)>;

/// Hears of each phase of a request that was reached (WorkerLine::phase).
using Reached = std::function<void(const char* phase)>;

class VariantServer {
public:
    /// In a worker: loads the problem, or maps it where it is shared. Pins the calling thread, as Team does.
    /// Throws InputError and EnvironmentError.
    VariantServer(const Registry& registry, const WorkerSetup& setup);
    /// In a process that has the problem already. `family` must outlive it. The team is there for probes
    /// alone: variants have threads of their own, and are not to share processors with ones that spin.
    VariantServer(const Family& family, std::shared_ptr<Problem> problem, const WorkerSetup& setup);

    Team& team() { return *team_; }
    /// Who is told where the reference is that runs next, and "" when it has (Bench::on_reference).
    void on_reference(const std::function<void(const std::string& place)>& told);
    /// As the detail of an answer: this process is to be replaced.
    std::string spoiled() const;

    /// A variant's failures are outcomes of its record. Throws EnvironmentError where the machine is at
    /// fault.
    Record measure(const MeasureRequest& request, const Reached& reached);
    /// The answer's phase is "done". Where a variant crashes it has no times: what that left here may be
    /// anything, and the others are to be asked for again (rotation_without_crashed).
    WorkerLine rotate(const RotateRequest& request, const Reprobe& reprobe, const Reached& reached);

private:
    void load();
    void keep_companion(const MeasureRequest& request);
    void probe_beside(const std::vector<Ceiling>& ceilings, double seconds, const Reprobe& reprobe,
                      std::vector<std::vector<double>>& rates, Machine& seen);
    void count_traffic(const std::vector<std::unique_ptr<Prepared>>& prepared, std::vector<Record>& records);
    Slot take_turn(Prepared& prepared, const SamplingRules& rules);
    bool is_far_behind(Prepared& prepared, const MeasureRequest& request, Record& record,
                       const Reached& reached);
    void take_pair(Prepared& prepared, const MeasureRequest& request, Record& record, const Reached& reached);
    void sample(Prepared& prepared, const MeasureRequest& request, Record& record, const Reached& reached);
    Record prepare(const std::map<std::string, std::string>& values, std::unique_ptr<Prepared>& prepared);
    bool check(Prepared& prepared, std::span<const std::uint64_t> seeds, Record& record,
               double enough_above = 0.0);
    void wake();
    bool is_quiet();
    void pause(double most, const Reached& reached);
    void rest(double seconds);

    WorkerSetup setup_;
    const Family* family_;
    bool has_team_ = true;  ///< whether variants run on it
    std::shared_ptr<Problem> problem_;
    std::optional<Space> space_;
    std::unique_ptr<Team> team_;
    std::unique_ptr<Bench> bench_;
    SystemStopwatch stopwatch_;
    const Reached* while_paused_ = nullptr;  ///< whom pauses tell; none between them
    Lull lull_;
    double last_run_ = 0.0;                                // seconds of the last verification's shortest run
    std::map<std::string, std::string> companion_values_;  // what companion_ is, or could not be
    std::unique_ptr<Prepared> companion_;
    bool spoiled_ = false;  ///< by what ran here
};

}  // namespace rooftune
