#include "tuner/base/si.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace rooftune {
namespace {

constexpr int kSmallest = -6;  // atto
constexpr int kLargest = 6;    // exa
constexpr std::array<std::string_view, 13> kPrefixes{"a", "f", "p", "n", "µ", "m", "",
                                                     "k", "M", "G", "T", "P", "E"};

int decimals(double magnitude) {
    return magnitude >= 100.0 ? 0 : magnitude >= 10.0 ? 1 : 2;
}

/// Three significant digits of a number in [0, 1000), without an exponent.
std::string three_digits(double value) {
    const double magnitude = std::abs(value);
    // 9.996 needs the precision of the 10.0 it rounds to.
    const int first = decimals(magnitude);
    const double rounded = std::round(magnitude * std::pow(10.0, first)) / std::pow(10.0, first);
    return fmt::format("{:.{}f}", value, decimals(rounded));
}

/// Power of 1000 whose prefix suits the value, after rounding to three digits.
int prefix_of(double magnitude) {
    int power = static_cast<int>(std::floor(std::log10(magnitude) / 3.0));
    if (magnitude / std::pow(1000.0, power) >= 999.5) ++power;
    return power;
}

bool usable(double value, std::string& instead) {
    if (std::isnan(value)) {
        instead = "n/a";
        return false;
    }
    if (std::isinf(value)) {
        instead = value > 0.0 ? "∞" : "−∞";
        return false;
    }
    return true;
}

std::string percent_digits(double percent, int places, bool up) {
    const double scale = std::pow(10.0, places);
    // The small allowance keeps 0.12 (11.999…9 or 12.000…1 per cent) from becoming 13.
    const double rounded = up ? std::ceil(percent * scale - 1e-9 * scale) / scale : percent;
    return fmt::format("{:.{}f} %", rounded, places);
}

std::string percent_text(double fraction, bool up) {
    std::string instead;
    if (!usable(fraction, instead)) return instead;
    const double percent = 100.0 * fraction;
    const double magnitude = std::abs(percent);
    if (magnitude == 0.0) return "0 %";
    if (magnitude < 0.01) return percent < 0.0 ? "> -0.01 %" : "< 0.01 %";
    if (magnitude < 1.0) return percent_digits(percent, 2, up);
    if (magnitude < 9.95) return percent_digits(percent, 1, up);
    if (percent >= 99.5 && percent < 100.0 && !up)
        return percent >= 99.9 ? "> 99.9 %" : percent_digits(percent, 1, up);
    if (magnitude >= 1e6) return fmt::format("{:.2e} %", percent);
    return percent_digits(percent, 0, up);
}

// " [1.38, 1.42]", with the ends that say something.
std::string limits(double value, double low, double high, const std::function<std::string(double)>& written) {
    const bool from = says_something(value, low), to = says_something(value, high);
    if (from && to) return fmt::format(" [{}, {}]", written(low), written(high));
    if (from) return fmt::format(" [at least {}]", written(low));
    return to ? fmt::format(" [at most {}]", written(high)) : "";
}

}  // namespace

std::string format_si(double value, std::string_view unit) {
    std::string instead;
    if (!usable(value, instead)) return instead;
    if (value == 0.0) return fmt::format("0 {}", unit);
    const int power = prefix_of(std::abs(value));
    if (power < kSmallest || power > kLargest) return fmt::format("{:.2e} {}", value, unit);
    return fmt::format("{} {}{}", three_digits(value / std::pow(1000.0, power)),
                       kPrefixes[static_cast<std::size_t>(power - kSmallest)], unit);
}

std::string format_seconds(double seconds) {
    return format_si(seconds, "s");
}

bool says_something(double value, double end) {
    constexpr double kFar = 10.0;
    return end < kFar * value && end * kFar > value;
}

std::string format_seconds_interval(double value, double low, double high) {
    const std::string text = format_seconds(value);
    const bool interval =
        std::isfinite(low) && std::isfinite(high) && low > 0.0 && high >= low && value > 0.0;
    if (!interval || !std::isfinite(value)) return text;
    const int power = prefix_of(value);
    if (power < kSmallest || power > kLargest) return text;
    const double scale = std::pow(1000.0, power);
    return text + limits(value, low, high, [&](double end) { return three_digits(end / scale); });
}

std::string format_capacity(double bytes) {
    std::string instead;
    if (!usable(bytes, instead)) return instead;
    constexpr std::array<std::string_view, 7> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    std::size_t unit = 0;
    while (bytes >= 1023.5 && unit + 1 < kUnits.size()) {
        bytes /= 1024.0;
        ++unit;
    }
    if (bytes >= 1e4) return fmt::format("{:.2e} {}", bytes, kUnits[unit]);
    // Sizes are powers of two as a rule: "4 MiB", not "4.00 MiB".
    const std::string digits =
        bytes == std::round(bytes) ? fmt::format("{:.0f}", bytes) : three_digits(bytes);
    return fmt::format("{} {}", digits, kUnits[unit]);
}

std::string format_percent(double fraction) {
    return percent_text(fraction, false);
}
std::string format_percent_up(double fraction) {
    return percent_text(fraction, true);
}

std::string format_ratio(double ratio) {
    std::string instead;
    if (!usable(ratio, instead)) return instead;
    const double magnitude = std::abs(ratio);
    if (magnitude != 0.0 && (magnitude < 0.005 || magnitude >= 1e7)) return fmt::format("{:.2e}×", ratio);
    if (ratio >= 999.5) return format_count(static_cast<std::uint64_t>(std::llround(ratio))) + "×";
    return three_digits(ratio) + "×";
}

std::string format_ratio_up(double ratio) {
    std::string instead;
    if (!usable(ratio, instead) || !(ratio >= 1.0) || ratio >= 1e7) return format_ratio(ratio);
    const double step = ratio < 10.0 ? 0.01 : ratio < 100.0 ? 0.1 : 1.0;
    constexpr double kRounding = 1e-9;  // 1.07 is no more than 1.07
    return format_ratio(step * std::ceil(ratio / step - kRounding));
}

std::string format_ratio_interval(double ratio, double low, double high) {
    const bool interval = std::isfinite(low) && std::isfinite(high) && low > 0.0 && high >= low;
    if (!interval || !std::isfinite(ratio)) return format_ratio(ratio);
    // The limits lose their sign: "1.90× [1.85, 1.94]".
    const auto bare = [](double value) {
        std::string text = format_ratio(value);
        text.resize(text.size() - std::string_view("×").size());
        return text;
    };
    return format_ratio(ratio) + limits(ratio, low, high, bare);
}

RatioSide side_of_one(double low, double high) {
    const std::string one = format_ratio(1.0);
    if (low > 1.0 && high >= low && format_ratio(low) != one) return RatioSide::above;
    if (low > 0.0 && high >= low && high < 1.0 && format_ratio(high) != one) return RatioSide::below;
    return RatioSide::neither;
}

std::string format_count(std::uint64_t count) {
    const std::string digits = std::to_string(count);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) text += ' ';
        text += digits[i];
    }
    return text;
}

std::string format_plural(std::int64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", format_count(static_cast<std::uint64_t>(count)), noun,
                       count == 1 ? "" : "s");
}

std::string format_duration(double seconds) {
    std::string instead;
    if (!usable(seconds, instead)) return instead;
    if (seconds > 0.0 && seconds < 0.95) return format_seconds(seconds);
    const double whole = std::round(std::max(0.0, seconds));
    if (whole >= 1e9) return fmt::format("{:.2e} s", whole);
    const auto total = static_cast<std::uint64_t>(whole);
    if (total < 60) return fmt::format("{} s", total);
    if (total < 3600) return fmt::format("{} min {} s", total / 60, total % 60);
    return fmt::format("{} h {} min", total / 3600, total % 3600 / 60);
}

}  // namespace rooftune
