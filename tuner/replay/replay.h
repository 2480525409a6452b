// Strategies on a recorded space: many runs in no time, since all answers are there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tuner/replay/score.h"
#include "tuner/search/strategies/strategy.h"

namespace rooftune {

struct ReplayRules {
    int runs = 100;
    std::uint64_t seed = 1;
    bool keep_runs = false;  ///< fill StrategyReplay::runs and Replay::recorded
};

/// Of the evaluations that the runs needed.
struct Spread {
    double median = 0.0, q25 = 0.0, q75 = 0.0;
};

struct StrategyReplay {
    std::string name;
    Spread within_5pct, within_1pct, optimum;
    double score = 0.0;           ///< NaN: none
    double arithmetic = 0.0;      ///< what the method's arithmetic gives, whether or not it means anything
    std::vector<double> curve;    ///< P(t) over Replay::grid; empty where there is no score
    std::vector<ReplayRun> runs;  ///< to the first evaluation that ends after Replay::budget
};

/// What an evaluation of a configuration answers, and the seconds that it is charged with.
struct RecordedCost {
    std::optional<double> seconds;
    double cost = 0.0;
};

struct Replay {
    std::string file;  ///< as named
    std::string space;
    std::size_t configurations = 0, valid = 0;
    double best = 0.0, median = 0.0, worst = 0.0;  ///< seconds
    std::vector<double> grid;                      ///< seconds of tuning
    double budget = 0.0;                           ///< seconds that each run is given
    bool of_records = false;                       ///< as in RecordedSpace
    std::string no_score;  ///< why no strategy has a score, and what to do instead; empty: they have
    std::vector<StrategyReplay> strategies;
    std::vector<RecordedCost> recorded;  ///< by the numbers in ReplayRun::points
};

inline constexpr int kReplayPatience = 100;
/// A run gets this much more than the time of the last comparison, as in the community's package: the fit of
/// what was found needs points beyond it.
inline constexpr double kReplayBudget = 1.1;

/// One run until the optimum is found and `at_least` seconds are spent: a run that ended at the optimum
/// before would be missing from the mean of all afterwards. Only points that were not seen before are
/// evaluations; the others are answered from memory, at no cost. A strategy that proposes seen ones more than
/// kReplayPatience times in a row, or something that is no point, gets an unseen one at random. What is
/// recorded as a time but is none (NaN, zero, negative) is a failure.
ReplayRun replay_once(const RecordedSpace& space, const Landscape& landscape, Strategy& strategy,
                      std::uint64_t seed, double at_least = 0.0);

/// Throws InputError for a space without a valid configuration. `progress` gets the number of runs done and
/// may be empty.
Replay replay(const RecordedSpace& space, const std::vector<const StrategyKind*>& strategies,
              const ReplayRules& rules, const std::function<void(int)>& progress = {});

}  // namespace rooftune
