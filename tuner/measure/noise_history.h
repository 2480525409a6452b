// What A differed from itself by in earlier comparisons on one machine: the noise that its threshold follows.
// One small file a machine, `noise/FINGERPRINT.json` in the results folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rooftune::track {

inline constexpr std::string_view kNoiseSchema = "rooftune/noise/1";
/// Older ones are forgotten: machines change.
inline constexpr std::size_t kMostNoise = 500;

struct NoiseEntry {
    std::string when;         ///< UTC, ISO 8601
    std::string kernel;       ///< what was compared
    double difference = 0.0;  ///< a fraction, not negative
};

struct NoiseHistory {
    std::string machine;  ///< fingerprint
    std::vector<NoiseEntry> entries;

    std::vector<double> differences() const;
};

/// Where the machine's history lies.
std::string noise_file(const std::string& results_folder, const std::string& machine);

/// An empty history where there is no file. Throws InputError for a file that is not one, or is another
/// machine's.
NoiseHistory read_noise(const std::string& path, const std::string& machine);

/// Adds an entry and writes the file atomically, with its folder. To be called under the machine lock, which
/// keeps two comparisons from losing each other's. Throws EnvironmentError; the old file is then intact.
void add_noise(const std::string& path, const std::string& machine, const NoiseEntry& entry);

}  // namespace rooftune::track
