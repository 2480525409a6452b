// Programs against each other: builds of rooftune, or anything that can be timed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tuner/command/common_flags.h"
#include "tuner/measure/comparison.h"
#include "tuner/measure/control_loop.h"
#include "tuner/track/compare_configs.h"
#include "tuner/track/measuring_screen.h"

namespace rooftune {

/// Keeps this thread, and the processes that it starts, on these processors while it lives. Throws
/// EnvironmentError.
class OnProcessors {
public:
    explicit OnProcessors(const std::vector<int>& cpus);
    ~OnProcessors();
    OnProcessors(const OnProcessors&) = delete;
    OnProcessors& operator=(const OnProcessors&) = delete;

private:
    struct Mask;
    std::unique_ptr<Mask> before_;
};

struct ProgramCommand {
    std::string text{};     ///< as it was written
    std::string flag{};     ///< what messages call it
    std::string label{};    ///< what tells it from the other arms; empty: its text
    std::string folder{};   ///< to run in; empty: where this process is
    std::string prepare{};  ///< run before each of its turns, and not timed; empty: nothing is
};

/// What is compared in the same rounds: the baseline, then one to kMostArms − 1 others.
struct ProgramSet {
    std::vector<ProgramCommand> arms{};
    std::string title{};                          ///< what all of them share; may be empty
    bool sweep = false;                           ///< they are one program with values of its parameters
    bool reads_time = false;                      ///< the last number that one prints is its time
    std::optional<track::ControlKind> control{};  ///< empty: nothing is watched
    int warmup = 0;                               ///< turns of each arm before the rounds, thrown away
    int together = 1, pairs_together = 1;         ///< as in CompareReport
};

struct ProgramsCompared {
    std::vector<track::Comparison> comparisons;  ///< one for each arm but the baseline
    std::optional<track::Ranking> ranking;       ///< of more than two, and of a sweep
};

/// The comparisons of a set that could not be measured, all INVALID for this reason. `delta` as in Judgement.
std::vector<track::Comparison> unmeasured_comparisons(const ProgramSet& programs, const std::string& why,
                                                      double delta);

/// Nothing after Ctrl-C. Each is run once before it is timed: a program that cannot be started, and one
/// without the number that it should print, is an InputError; one that fails or hangs makes its comparison
/// INVALID, and the baseline makes all so. Throws InputError where the preparation fails.
std::optional<ProgramsCompared> compare_programs(const ProgramSet& programs, const CommonFlags& common,
                                                 const CompareRules& rules, const std::string& machine,
                                                 MeasuringScreen& screen);

}  // namespace rooftune
