// Dates as files and the store write them.
#pragma once

#include <ctime>
#include <optional>
#include <string>

namespace rooftune {

/// The present moment in UTC, ISO 8601 to the second: "2024-05-31T17:04:59Z". For people and for
/// ordering; intervals are taken from the monotonic clock only.
std::string utc_now();
/// Another moment in the same form.
std::string utc_text(std::time_t seconds);

/// Seconds since the beginning of 1970 (UTC) of a date as utc_now() writes it; nullopt for any other text,
/// the year of a preset's source say.
std::optional<double> seconds_of(const std::string& date);

}  // namespace rooftune
