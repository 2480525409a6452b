// The tuned config: the file a user keeps. It says which variant to take for this problem on this
// machine, what to take elsewhere, and carries the whole tune result with its certificate.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuner/formats/strict_json.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

inline constexpr std::string_view kTunedConfigSchema = "rooftune/tuned-config/3";

struct TunedConfig {
    TuneResult result;          ///< with a winner: result.best is not empty
    std::string created;        ///< UTC, ISO 8601
    std::string compiler;       ///< that built the kernels
    std::string kernels_build;  ///< hash of the kernels' build
};

/// The config of a finished tune, dated now. Throws std::invalid_argument without a winner.
TunedConfig tuned_config_of(const TuneResult& result, std::string compiler, std::string kernels_build);

/// Keys that decide where and how to apply the config stand at the top; `result` embeds the rest.
Json to_json(const TunedConfig& config);

/// Reads strictly. Throws InputError with file, JSON pointer, what was expected and found; also when
/// a key at the top and the same fact inside `result` differ, as after an edit of only one of them.
TunedConfig tuned_config_from(const Json& document, const std::string& file);
TunedConfig read_tuned_config(const std::string& path);

/// The results in a file of either kind: a tuned config, or what `tune --json` printed. Throws InputError.
std::vector<TuneResult> read_results_or_config(const std::string& path);

/// Writes the config atomically. Throws EnvironmentError; the old file is then intact.
void write_tuned_config(const std::string& path, const TunedConfig& config);

/// Whether the config's winner may be used on the machine with this fingerprint; if not, the
/// result's `fallback` is the safe choice.
bool applies_to(const TunedConfig& config, std::string_view fingerprint);

}  // namespace rooftune
