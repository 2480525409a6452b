#include "tuner/verify/claim.h"

#include <filesystem>
#include <optional>

#include "kernels/runtime/error.h"

namespace rooftune::verify {
namespace {

namespace fs = std::filesystem;

std::optional<TunedConfig> config_beside(const std::string& set, const TunedProblem& problem) {
    if (problem.config.empty()) return std::nullopt;
    try {
        TunedConfig config = read_tuned_config((fs::path(set).parent_path() / problem.config).string());
        if (config.result.digest != problem.digest) return std::nullopt;
        return config;
    } catch (const InputError&) {
        return std::nullopt;
    }
}

TuneResult known_to_set(const TunedSet& set, const TunedGroup& group, const TunedProblem& problem) {
    TuneResult r;
    r.family = group.family;
    r.problem = problem.problem;
    r.title = problem.title;
    r.digest = problem.digest;
    r.dtype = group.dtype;
    r.backend = group.backend;
    r.device = group.device;
    r.state = group.state;
    r.threads = group.threads;
    r.space_version = group.space_version;
    r.machine_id = set.machine_id;
    r.machine_name = set.machine_name;
    r.best = problem.best;
    r.fallback = problem.fallback;
    r.seconds = problem.seconds;
    return r;
}

}  // namespace

Claim claim_of(const TunedConfig& config, const std::string& file) {
    return {file, false, config.result, config.created, config.compiler, config.kernels_build, ""};
}

std::vector<Claim> claims_of(const TunedSet& set, const std::string& file) {
    std::vector<Claim> claims;
    for (const TunedGroup& group : set.groups) {
        for (const TunedProblem& problem : group.problems) {
            Claim claim{file,        true,         known_to_set(set, group, problem),
                        set.created, set.compiler, set.kernels_build,
                        ""};
            if (const auto config = config_beside(file, problem)) {
                if (config->result.best == problem.best) {
                    claim.tuned = config->result;
                    claim.tuned.machine_id = set.machine_id;
                } else {
                    claim.outdated = problem.config;
                }
            }
            claims.push_back(std::move(claim));
        }
    }
    return claims;
}

Identity identity(const Claim& claim) {
    const TuneResult& r = claim.tuned;
    return {setting_of(r),       r.digest,        r.best,        claim.compiler,
            claim.kernels_build, r.space_version, claim.outdated};
}

}  // namespace rooftune::verify
