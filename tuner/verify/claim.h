// What a tuned file claims: this variant, for this problem, on this machine. From a tuned config, or from one
// problem of a tuned set.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "tuner/formats/config_catalogue.h"
#include "tuner/formats/tune_result.h"
#include "tuner/formats/tuned_config.h"
#include "tuner/formats/tuned_set.h"

namespace rooftune::verify {

struct Claim {
    std::string file;
    bool of_set = false;  ///< the file is a tuned set, and this one of its problems
    /// Of a set's problem without its own config only what the set says: no roof, no runner-up, no needs.
    TuneResult tuned;
    std::string created, compiler, kernels_build;
    /// Why the set's word does not stand: the problem's own config has another winner. Empty: it stands.
    std::string outdated;
};

Claim claim_of(const TunedConfig& config, const std::string& file);

/// One for each problem of the set. A problem's own config, beside the set, adds what the set does not hold;
/// one that cannot be read is as good as none.
std::vector<Claim> claims_of(const TunedSet& set, const std::string& file);

/// Equal where two claims say the same of the same problem, whatever file they are in: setting, digest,
/// winner, compiler, build of the kernels, version of the space, what outdated it.
using Identity = std::tuple<TunedSetting, std::string, std::map<std::string, std::string>, std::string,
                            std::string, int, std::string>;
Identity identity(const Claim& claim);

}  // namespace rooftune::verify
