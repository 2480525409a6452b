// What `rooftune compare` found, as it is printed and written. The keys of its JSON are described by
// configs/schema/compare.schema.json.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/formats/strict_json.h"
#include "tuner/measure/head_room.h"
#include "tuner/measure/ranking.h"
#include "tuner/measure/verdict.h"

namespace rooftune::track {

inline constexpr std::string_view kCompareSchema = "rooftune/compare/1";

/// The turns of one arm.
struct ArmSamples {
    std::string letter, name;   ///< "B", and what it is
    std::vector<double> times;  ///< one a round, in their order; seconds, or what a program printed
};

/// Arms that were measured in the same rounds.
struct SampleGroup {
    std::string title;
    std::vector<ArmSamples> arms;  ///< A, the others, and A once more
    bool printed = false;          ///< the times are numbers that programs print, in any unit
};

/// A part of the environment that is not as it was when an arm was tuned or recorded.
struct EnvironmentChange {
    std::string arms;  ///< "A", "B", or "A and B"
    std::string what, then, now;
};

struct EnvironmentDifference {
    std::vector<EnvironmentChange> changes;
    std::vector<std::string> compared;      ///< the parts that were known of then
    std::vector<std::string> not_recorded;  ///< and those that were not, of either arm
    bool base_recorded = false;  ///< A is a baseline: its environment is that of when it was recorded
    bool base_rebuilt = false;   ///< the kernels are of another build than A's
};

/// What a comparison is of.
struct KernelName {
    std::string title{};    ///< the problem's, or the commands; in JSON this alone
    std::string setting{};  ///< setting_words(): what tells problems of one title apart
};

/// One kernel, or one pair of commands.
struct Comparison {
    std::string kernel;                           ///< the problem's title, or the commands
    std::string setting{};                        ///< as in KernelName
    std::string base, candidate;                  ///< where the arms are from: files, commands
    std::string base_variant, candidate_variant;  ///< in words; empty for commands
    Judgement judgement;
    double base_seconds = 0.0, candidate_seconds = 0.0;  ///< medians; 0: none
    bool printed = false;  ///< these are numbers that programs print, in any unit
    int dropped = 0;       ///< disturbed rounds that were taken again
    std::string control;   ///< what was probed beside; empty: nothing
    std::optional<HeadRoom> room;
    std::optional<EnvironmentDifference> environment;  ///< of tuned configs alone
    std::optional<SampleGroup> samples;  ///< of several arms the first comparison alone has them
    std::string arm;  ///< the candidate's letter where several were compared in the same rounds; else empty
    bool swept = false;  ///< both are one program with two values of a parameter: neither can have regressed
};

/// Several arms that were compared in the same rounds, the fastest first.
struct Ranking {
    std::string title;  ///< the values of scanned parameters that all of them have; may be empty
    struct Arm {
        std::string letter, from;        ///< "B", and its command or what distinguishes it
        std::optional<Verdict> verdict;  ///< of the baseline none
        RankedArm place;
    };
    std::vector<Arm> arms;
    std::size_t first = 0;  ///< of its comparisons in the report: one for each arm but the baseline
    bool printed = false;   ///< the values are numbers that programs print, in any unit
    bool swept = false;     ///< as in Comparison
};

struct CompareReport {
    std::string machine;  ///< fingerprint
    std::vector<Comparison> comparisons;
    std::vector<Ranking> rankings;  ///< of more than two in the same rounds, and of a sweep
    int together = 1;               ///< comparisons whose intervals hold together
    int pairs_together = 1;         ///< and pairs, behind the rankings
    bool scanned = false;           ///< each comparison is one point of a scan of parameters
    std::vector<KernelName> left;   ///< comparisons that Ctrl-C left nothing of
    std::vector<KernelName> only_base, only_candidate;  ///< that only one side has
};

/// 1 with a REGRESSED (which no value of a sweep is), else 3 with an INVALID, else 3 with an INCONCLUSIVE
/// where `strict`, else 0.
int exit_status(const CompareReport& report, bool strict);

Json to_json(const CompareReport& report);

}  // namespace rooftune::track
