// Baselines: entries of histories that were given a name, with the tuned config of then, which is run again
// against the one of now. Times of different days are never compared.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tuner/track/entry.h"
#include "tuner/track/pairing.h"

namespace rooftune::track {

/// Throws InputError, with `flag` in front, for a name that is empty, longer than 64 characters, or has
/// others than letters, digits, '.', '_', '+' and '-', or does not begin with a letter or digit.
void check_baseline_name(const std::string& name, const std::string& flag);

/// Names in one history, each with the entry that has it: the last measured of those that were given it.
std::map<std::string, std::size_t> baselines_of(std::span<const Entry> entries);

/// Who has the name among entries of the same machine and problem (family, content, backend, caches' state);
/// null: nobody.
const Entry* holder_of(std::span<const Entry> entries, const std::string& name, const Entry& like);

/// "baseline v1 (0123456789ab of 2026-01-04)".
std::string baseline_phrase(const Entry& entry);

struct BaselineConfig {
    ConfigFile file;             ///< its path is baseline_phrase()
    RunEnvironment environment;  ///< without a machine: not recorded
};

/// Which configs are asked for.
struct BaselineWish {
    std::string name, machine;         ///< as it was recorded, and the fingerprint
    std::vector<std::string> kernels;  ///< as in pair_up(); others are not even read
    std::string store;                 ///< what messages call the history
};

/// The configs that have the name on this machine, one a problem, by title. `notice` is told of an entry
/// without its config, and of a config that this version cannot read: they are left out. Throws InputError
/// where none is left, and for a name that no entry of this machine has (with the ones that there are).
std::vector<BaselineConfig> baseline_configs(std::span<const Entry> entries, const BaselineWish& wish,
                                             const Notice& notice);

/// As pair_up(), with what was recorded beside each baseline.
Pairing pair_with_baseline(const std::vector<BaselineConfig>& baseline,
                           const std::vector<ConfigFile>& candidate, const std::vector<std::string>& kernels);

}  // namespace rooftune::track
