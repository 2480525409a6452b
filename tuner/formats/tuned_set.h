// The tuned set: one file for all problems of a job. Beside each winner it keeps what its problem is like, a
// rule for problems in between, and what that rule was worth when each problem was left out in turn.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/formats/strict_json.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

inline constexpr std::string_view kTunedSetSchema = "rooftune/tuned-set/1";

/// What the rule gives for a problem of the group that it may not see, against that problem's own winner.
struct LeftOut {
    int nearest = 0;        ///< the problem whose variant it takes, by place in the group
    double distance = 0.0;  ///< to that problem
    std::map<std::string, std::string> variant;  ///< as it is here, after the repair; empty: nothing fits
    int changed = 0;                             ///< parameters that the repair had to change
    bool works = false;                          ///< it ran and answered rightly
    TimeInterval ratio;  ///< its time over the winner's, in rotation; 1 and no slots: the same variant
    double default_ratio = 0.0;  ///< the default variant's time over the winner's; 0: not measured
};

/// One problem of a group, tuned.
struct TunedProblem {
    std::map<std::string, std::string> problem;
    std::string title, digest;
    std::vector<double> features;                  ///< in the group's order
    std::map<std::string, std::string> best;       ///< its winner
    std::map<std::string, std::string> fallback;   ///< its default variant
    TimeInterval seconds;                          ///< of the winner
    std::string stopped_by;                        ///< of its certificate
    double gap = 0.0;                              ///< of its certificate
    int audited = 0, violations = 0, regrets = 0;  ///< of its audit
    std::string config;                            ///< file of its tuned config, in the folder of the set
    std::optional<LeftOut> left_out;               ///< empty: not measured
};

/// Problems that share a family, element type, backend and state: between them the rule holds.
struct TunedGroup {
    std::string family;
    int space_version = 0;
    std::string dtype, backend = "cpu", device, state;
    int threads = 1;
    std::vector<std::string> features;  ///< names, which are formulas
    std::vector<double> scales;         ///< a difference is divided by these
    double reach = 0.0;                 ///< beyond this distance the rule says: the default variant
    std::vector<TunedProblem> problems;
};

/// A problem of the job without a winner.
struct UntunedProblem {
    std::string family;
    std::map<std::string, std::string> problem;
    std::string why;
};

struct TunedSet {
    std::string created;  ///< UTC, ISO 8601
    std::string machine_id, machine_name;
    std::string compiler, kernels_build;
    bool complete = false;  ///< false: the job has not come to its end, by Ctrl-C say
    std::vector<TunedGroup> groups;
    std::vector<UntunedProblem> untuned;
};

/// The rule in words, as the file states it.
std::string rule_text();

Json to_json(const TunedSet& set);

/// Reads strictly. Throws InputError with file, JSON pointer, what was expected and found; also when features
/// and scales differ in number, or a place in the group does not exist.
TunedSet tuned_set_from(const Json& document, const std::string& file);
TunedSet read_tuned_set(const std::string& path);

/// Whether the file is a tuned set of any version. Throws InputError when it is no JSON.
bool is_tuned_set(const std::string& path);

/// Writes atomically. Throws EnvironmentError; the old file is then intact.
void write_tuned_set(const std::string& path, const TunedSet& set);

}  // namespace rooftune
