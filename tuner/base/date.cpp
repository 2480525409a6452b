#include "tuner/base/date.h"

#include <cstdio>

namespace rooftune {

std::string utc_now() {
    return utc_text(std::time(nullptr));
}

std::string utc_text(std::time_t seconds) {
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

std::optional<double> seconds_of(const std::string& date) {
    std::tm parts{};
    int end = 0;
    const int read = std::sscanf(date.c_str(), "%4d-%2d-%2dT%2d:%2d:%2dZ%n", &parts.tm_year, &parts.tm_mon,
                                 &parts.tm_mday, &parts.tm_hour, &parts.tm_min, &parts.tm_sec, &end);
    if (read != 6 || static_cast<std::size_t>(end) != date.size() || date.size() != 20) return std::nullopt;
    const bool in_range = parts.tm_mon >= 1 && parts.tm_mon <= 12 && parts.tm_mday >= 1 &&
                          parts.tm_mday <= 31 && parts.tm_hour >= 0 && parts.tm_hour < 24 &&
                          parts.tm_min >= 0 && parts.tm_min < 60 && parts.tm_sec >= 0 && parts.tm_sec <= 60;
    if (!in_range) return std::nullopt;
    parts.tm_year -= 1900;
    parts.tm_mon -= 1;
    return static_cast<double>(::timegm(&parts));
}

}  // namespace rooftune
