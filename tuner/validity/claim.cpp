#include "tuner/validity/claim.h"

#include <filesystem>
#include <optional>

#include "kernels/runtime/error.h"

namespace rooftune::validity {
namespace {

namespace fs = std::filesystem;

using Map = std::map<std::string, std::string>;

// No two maps give one text: neither mark can stand in a key or a value of ours.
std::string joined(const Map& map) {
    std::string text;
    for (const auto& [key, value] : map) text += key + '\x1f' + value + '\x1f';
    return text + '\x1e';
}

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

std::string identity(const Claim& claim) {
    return subject(claim) + claim.tuned.digest + '\x1f' + joined(claim.tuned.best) + claim.compiler + '\x1f' +
           claim.kernels_build + '\x1f' + std::to_string(claim.tuned.space_version) + claim.outdated;
}

std::string subject(const Claim& claim) {
    const TuneResult& r = claim.tuned;
    return r.machine_id + '\x1f' + r.family + '\x1f' + joined(r.problem) + r.backend + '\x1f' + r.device +
           '\x1f' + r.state + '\x1f' + std::to_string(r.threads) + '\x1e';
}

}  // namespace rooftune::validity
