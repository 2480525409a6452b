// Tuned configs of two sides, paired by what they were tuned for.
#pragma once

#include <string>
#include <vector>

#include "tuner/formats/config_catalogue.h"
#include "tuner/measure/comparison.h"
#include "tuner/track/run_environment.h"

namespace rooftune::track {

/// A side: the file itself, or of a folder the newest config of each problem, sorted by title. Throws as
/// rooftune::configs_at does.
std::vector<ConfigFile> side_at(const std::string& path, const Notice& notice);

struct ConfigPair {
    ConfigFile base, candidate;
    /// What was recorded beside the baseline; without a machine: nothing but what the config says.
    RunEnvironment base_environment{};
};

struct Pairing {
    std::vector<ConfigPair> pairs;
    std::vector<KernelName> only_base, only_candidate;
};

/// Its title, and what tells it from another result of that.
KernelName name_of(const TuneResult& result);

/// Of one family, problem (by digest), backend and caches' state.
bool is_same_problem(const TuneResult& a, const TuneResult& b);

/// Whether one of `kernels` is contained in the title or the family, or there is none.
bool is_wanted(const std::string& title, const std::string& family, const std::vector<std::string>& kernels);

/// Pairs are of the same problem: is_same_problem(). `kernels` keeps those whose title
/// or family contains one of the texts; empty keeps all.
Pairing pair_up(const std::vector<ConfigFile>& base, const std::vector<ConfigFile>& candidate,
                const std::vector<std::string>& kernels);

}  // namespace rooftune::track
