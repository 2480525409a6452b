// A ladder as it was measured: what `rooftune ladder` prints, draws and writes, and the report reads.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tuner/formats/tune_result.h"
#include "tuner/ladder/gain.h"
#include "tuner/ladder/plan.h"
#include "tuner/ladder/rounds.h"

namespace rooftune::ladder {

/// A variant's time; `median` 0: it has none.
struct Timing {
    double median = 0.0, low = 0.0, high = 0.0;  ///< seconds
};

/// What a step is worth to the best variant: the best without it.
struct Worth {
    Values variant;
    std::string adapted;       ///< what else had to change; empty: nothing
    std::optional<Gain> gain;  ///< time without it over the best's; nothing where it gave no time
    std::string failure;       ///< why there is no gain
};

enum class StepState {
    measured,
    unchanged,  ///< the variant of the step before: nothing to change, and not measured twice
    failed,     ///< its variant gives no time; the next step's gain is over the one before
};

struct Step {
    std::string name, why;
    std::vector<std::string> parameters;
    StepState state = StepState::measured;
    Values variant;
    std::string change, adapted;  ///< as in PlannedStep
    std::string over;             ///< the step that its gain is over; the bottom's name for the first
    std::optional<Gain> gain;     ///< nothing where it failed
    std::string failure;
    Timing time;
    std::optional<Worth> worth;  ///< nothing where the best has nothing of it
};

/// What was laddered, and what it ran on.
struct Subject {
    std::string family;
    std::map<std::string, std::string> problem;
    std::string title, digest, dtype, state;
    std::string backend = "cpu", device;
    int threads = 1;
    int space_version = 0;
    std::string machine_id, machine_name;
    double flops_nominal = 0.0;
};

struct Result {
    Subject subject;
    std::string created;        ///< UTC, ISO 8601
    std::string kernels_build;  ///< hash of the kernels' build
    std::string config;         ///< the tuned config whose winner is the best, as a path
    std::string config_created;
    /// Of the best variant in the finals of that tune, on this machine; 0: not known, as in older ladders.
    double tuned_seconds = 0.0;
    double roof_seconds = 0.0;      ///< least time under the highest rates ever; 0: not known
    double roof_now_seconds = 0.0;  ///< by the binding ceiling as probed beside the rounds; 0: not known
    std::string ceiling;            ///< behind the roof, in words
    int rounds = 0, retaken = 0;
    bool interrupted = false;

    Values bottom;  ///< the naive variant on one thread
    std::string bottom_name;
    Timing bottom_time;
    std::string bottom_failure;
    std::vector<Step> steps;
    std::optional<Gain> whole, product;  ///< best over bottom; nothing where either gave no time
    /// Product and whole can be the same number. True where there is neither.
    bool agrees = true;

    Timing best_time() const;
    /// Of what is attainable now; 0 where the roof or the time is not known.
    double fraction(const Timing& time) const;
};

/// Puts together what was planned and measured: `bottom_name` is what the first variant is called ("the
/// triple loop, 1 thread"). Subject, roof and the rest are left to the caller.
Result result_of(const Plan& plan, const MeasuredRounds& measured, const std::string& bottom_name);

}  // namespace rooftune::ladder
