// Dates as files and the store write them.
#pragma once

#include <string>

namespace rooftune {

/// The present moment in UTC, ISO 8601 to the second: "2024-05-31T17:04:59Z". For people and for
/// ordering; intervals are taken from the monotonic clock only.
std::string utc_now();

}  // namespace rooftune
