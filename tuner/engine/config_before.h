// The tuned config that a tune is about to replace: its winner is a candidate of the new tune, and what
// becomes of it is said.
#pragma once

#include <optional>
#include <string>

#include "models/space.h"
#include "tuner/formats/record.h"
#include "tuner/formats/tuned_config.h"

namespace rooftune {

/// What lies at that path, of a problem with this content on this machine; nothing where there is no such
/// config, or none that can be read.
std::optional<TunedConfig> config_before(const std::string& path, const std::string& digest,
                                         const std::string& machine_id);

/// Its winner as a variant of the space; nothing where it is none any more.
std::optional<Variant> winner_before(const TunedConfig& before, const Space& space);

/// Whether the old winner met the new one in the finals and the rounds do not say which is faster, by so wide
/// an interval that the new one may as well be a loss: then the config stays. Within 10 % either will do.
bool is_undecided(const TunedConfig& before, const TuneResult& result);

/// What the result says of the config that was there; `writes`: the result's own takes its place. `first`:
/// the first part of the same tune, which may have replaced it already; null: this is all of it.
ConfigBefore fate_of(const std::optional<TunedConfig>& before, bool writes, const TuneResult* first);

/// A sentence for who had that config: by what its winner was replaced, that it works no more, or that the
/// same variant takes longer now. `now` is what this run found of that winner. Empty where nothing is worth a
/// word.
std::string what_became_of(const TunedConfig& before, const TuneResult& result, const Record& now);

}  // namespace rooftune
