#include "tuner/measure/counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace rooftune {

std::optional<double> scaled(const CounterReading& r) {
    if (!(r.running > 0.0)) return std::nullopt;
    return r.value * (r.enabled > r.running ? r.enabled / r.running : 1.0);
}

CounterReading operator-(const CounterReading& later, const CounterReading& earlier) {
    return {later.value - earlier.value, later.enabled - earlier.enabled, later.running - earlier.running};
}

std::optional<std::uint64_t> event_config(std::string_view description) {
    std::uint64_t config = 0;
    while (!description.empty() && (description.back() == '\n' || description.back() == ' '))
        description.remove_suffix(1);
    if (description.empty()) return std::nullopt;
    while (!description.empty()) {
        const std::size_t comma = std::min(description.find(','), description.size());
        const std::string_view term = description.substr(0, comma);
        description.remove_prefix(std::min(comma + 1, description.size()));
        const std::size_t equals = term.find("=0x");
        if (equals == std::string_view::npos) return std::nullopt;
        const std::string_view name = term.substr(0, equals);
        const std::string_view digits = term.substr(equals + 3);
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
        if (error != std::errc() || end != digits.data() + digits.size() || value > 0xFF) return std::nullopt;
        if (name == "event") {
            config |= value;
        } else if (name == "umask") {
            config |= value << 8;
        } else {
            return std::nullopt;
        }
    }
    return config;
}

std::string counters_refused(int error) {
    switch (error) {
        case ENOENT:
        case ENODEV:
        case EOPNOTSUPP:
            return "the processor's counters are not offered to this system, as in most virtual machines";
        case EACCES:
        case EPERM:
            return "not allowed; as root: sysctl kernel.perf_event_paranoid=1";
        case ENOSYS:
            return "the kernel was built without perf events";
        case EMFILE:
            return "too many open files for an event a thread; raise ulimit -n";
        default:
            return std::strerror(error);
    }
}

std::string traffic_sentence(const MeasuredTraffic& traffic, double flops) {
    if (!traffic.seen) return "";  // `rooftune doctor` says why
    if (!(traffic.bytes > 0.0))
        return fmt::format("measured traffic: none beyond the caches ({})", traffic.source);
    constexpr std::array<const char*, 5> kUnits{"B", "kB", "MB", "GB", "TB"};
    double amount = traffic.bytes;
    std::size_t unit = 0;
    for (; amount >= 1000.0 && unit + 1 < kUnits.size(); ++unit) amount /= 1000.0;
    return fmt::format("measured traffic: {:.3g} {} a repetition (intensity {:.3g} flop/byte; {})", amount,
                       kUnits[unit], flops / traffic.bytes, traffic.source);
}

}  // namespace rooftune
