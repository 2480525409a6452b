// Two programs against each other: two builds of rooftune, or anything that can be timed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tuner/base/notice.h"
#include "tuner/command/common_flags.h"
#include "tuner/measure/comparison.h"
#include "tuner/measure/control_loop.h"
#include "tuner/track/compare_configs.h"

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

struct ProgramPair {
    std::string base, candidate;                                            ///< commands as they were written
    std::string base_flag = "--command-a", candidate_flag = "--command-b";  ///< what messages call them
    std::string base_folder{}, candidate_folder{};  ///< to run in; empty: where this process is
    bool reads_time = false;                        ///< the last number that it prints is its time
    std::optional<track::ControlKind> control;      ///< empty: nothing is watched
};

/// Nothing after Ctrl-C. Each is run once before it is timed: a program that cannot be started, and one
/// without the number that it should print, is an InputError; one that fails or hangs makes the comparison
/// INVALID.
std::optional<track::Comparison> compare_programs(const ProgramPair& pair, const CommonFlags& common,
                                                  const CompareRules& rules, const std::string& machine,
                                                  const Notice& notice);

}  // namespace rooftune
