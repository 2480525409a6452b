#include "tuner/track/parameter_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <string_view>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"

namespace rooftune::track {
namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
constexpr std::string_view kNameCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789-";
constexpr const char* kForms =
    "write NAME=FIRST:LAST, NAME=FIRST:LAST:STEP or NAME=VALUE,VALUE, like n=1:10, n=1:10:3 or n=1,2,4,8";

bool is_name(std::string_view text) {
    return !text.empty() && kLetters.find(text.front()) != std::string_view::npos &&
           text.find_first_not_of(kNameCharacters) == std::string_view::npos;
}

std::vector<std::string> split(const std::string& text, char between) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == between) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

// A decimal number as people write it, in units of its last decimal: "0.25" is 25 with two decimals. So that
// sums of steps are exact, and are written as they were given.
struct Decimal {
    long long units = 0;
    int decimals = 0;
};

// All numbers of a range are brought to the same decimals, and have at most so many digits then: sums of
// two stay far within what units hold.
constexpr int kMostDigits = 15;
constexpr long long kMostUnits = 999'999'999'999'999;

[[noreturn]] void too_many_digits(const std::string& where, std::string_view number) {
    throw InputError(
        fmt::format("{}'{}' has too many digits; {} are the most, with as many of them behind the "
                    "point as the finest of the numbers has",
                    where, number, kMostDigits));
}

// Nothing for what is no such number. Throws InputError for one of too many digits.
std::optional<Decimal> decimal_from(std::string_view text, const std::string& where) {
    const std::string_view whole = text;
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    Decimal d;
    int digits = 0;
    bool point = false;
    for (const char c : text) {
        if (c == '.' && !point) {
            point = true;
        } else if (c >= '0' && c <= '9') {
            // Of longer ones only the end is still looked for: more of them would not fit.
            if (++digits <= kMostDigits) d.units = 10 * d.units + (c - '0');
            d.decimals += point ? 1 : 0;
        } else {
            return std::nullopt;
        }
    }
    if (digits == 0 || text.back() == '.') return std::nullopt;
    if (digits > kMostDigits) too_many_digits(where, whole);
    if (negative) d.units = -d.units;
    return d;
}

// With so many decimals. Nothing where the number has too many digits then.
std::optional<long long> in_units(const Decimal& d, int decimals) {
    long long units = d.units;
    for (int i = d.decimals; i < decimals; ++i) {
        units *= 10;
        if (std::abs(units) > kMostUnits) return std::nullopt;
    }
    return units;
}

std::string written(long long units, int decimals) {
    std::string digits = fmt::format("{:0{}}", std::abs(units), decimals + 1);
    if (decimals > 0) digits.insert(digits.size() - static_cast<std::size_t>(decimals), ".");
    return (units < 0 ? "-" : "") + digits;
}

std::vector<std::string> range_from(const std::vector<std::string>& parts, const std::string& where) {
    std::vector<Decimal> numbers;
    for (const std::string& part : parts) {
        const auto number = decimal_from(part, where);
        if (!number) throw InputError(where + "'" + part + "' is no number like 4 or 0.25; " + kForms);
        numbers.push_back(*number);
    }
    if (numbers.size() == 2) numbers.push_back({1, 0});
    const int decimals = std::max({numbers[0].decimals, numbers[1].decimals, numbers[2].decimals});
    const auto first = in_units(numbers[0], decimals), last = in_units(numbers[1], decimals),
               step = in_units(numbers[2], decimals);
    for (const auto& [units, number] : {std::pair{first, parts[0]}, std::pair{last, parts[1]},
                                        std::pair{step, parts.size() > 2 ? parts[2] : std::string("1")}}) {
        if (!units) too_many_digits(where, number);
    }
    if (*step == 0) throw InputError(where + "a step of 0 never arrives; give one that is not 0");
    if (*step > 0 ? *first > *last : *first < *last)
        throw InputError(where + "from " + parts[0] + " a step of " + written(*step, decimals) +
                         " never arrives at " + parts[1] + "; " +
                         (*step > 0 ? "to count down give a negative step, like n=8:1:-1"
                                    : "to count up give a positive step"));
    const long long count = (*last - *first) / *step + 1;
    if (count > static_cast<long long>(kMostPoints))
        throw InputError(fmt::format("{}has {} values, and a scan has at most {}; give a larger step", where,
                                     count, kMostPoints));
    const int shown = std::max(numbers[0].decimals, numbers[2].decimals);
    std::vector<std::string> values;
    for (long long i = 0; i < count; ++i) {
        long long units = *first + i * *step;
        for (int d = decimals; d > shown; --d) units /= 10;
        values.push_back(written(units, shown));
    }
    return values;
}

// Calls `piece` with each stretch of text, and with each name in braces and how often the braces are doubled.
void walk(const std::string& text, const std::function<void(std::string_view)>& plain,
          const std::function<void(const std::string& name, bool doubled)>& named) {
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '{') {
            const bool doubled = text.compare(at, 2, "{{") == 0;
            const std::size_t begin = at + (doubled ? 2 : 1);
            const std::size_t end = text.find('}', begin);
            const bool closed = end != std::string::npos && (!doubled || text.compare(end, 2, "}}") == 0);
            if (closed && is_name(std::string_view(text).substr(begin, end - begin))) {
                named(text.substr(begin, end - begin), doubled);
                at = end + (doubled ? 2 : 1);
                continue;
            }
        }
        plain(std::string_view(text).substr(at, 1));
        ++at;
    }
}

}  // namespace

ScannedParameter parameter_from(const std::string& text) {
    const std::string where = "--parameter " + text + ": ";
    const std::size_t equals = text.find('=');
    ScannedParameter p;
    p.name = text.substr(0, equals);
    if (equals == std::string::npos || !is_name(p.name))
        throw InputError(
            where + "a parameter has a name of letters, digits, - and _, then = and its values; " + kForms);
    const std::string values = text.substr(equals + 1);
    const std::vector<std::string> parts = split(values, ':');
    if (values.find(',') == std::string::npos && (parts.size() == 2 || parts.size() == 3)) {
        p.values = range_from(parts, where);
    } else {
        p.values = split(values, ',');
    }
    std::set<std::string> seen;
    for (const std::string& value : p.values) {
        if (value.empty()) throw InputError(where + "a value is missing; " + kForms);
        if (!seen.insert(value).second)
            throw InputError(where + "has the value " + value + " twice; give each once");
    }
    if (p.values.size() > kMostPoints)
        throw InputError(fmt::format("{}has {} values, and a scan has at most {}; give fewer", where,
                                     p.values.size(), kMostPoints));
    return p;
}

std::vector<ScanPoint> points_of(const std::vector<ScannedParameter>& parameters) {
    std::vector<ScanPoint> points(1);
    std::set<std::string> names;
    std::size_t all = 1;
    for (const ScannedParameter& p : parameters) {
        if (!names.insert(p.name).second)
            throw InputError("--parameter " + p.name + " is given twice; give all of its values at once");
        all *= p.values.size();
        if (all > kMostPoints)
            throw InputError(
                fmt::format("the --parameter flags together make {} combinations up to {}, and a "
                            "scan has at most {}; give fewer values",
                            all, p.name, kMostPoints));
        std::vector<ScanPoint> longer;
        for (const ScanPoint& point : points) {
            for (const std::string& value : p.values) {
                longer.push_back(point);
                longer.back().emplace_back(p.name, value);
            }
        }
        points = std::move(longer);
    }
    return points;
}

std::string replaced(const std::string& text, const ScanPoint& point, const std::string& flag) {
    std::string result;
    walk(
        text, [&](std::string_view piece) { result += piece; },
        [&](const std::string& name, bool doubled) {
            if (doubled) {
                result += "{" + name + "}";
                return;
            }
            const auto known = std::find_if(point.begin(), point.end(),
                                            [&](const auto& pair) { return pair.first == name; });
            if (known == point.end()) {
                std::vector<std::string> names;
                for (const auto& pair : point) names.push_back(pair.first);
                throw InputError(flag + " '" + text + "': {" + name + "} is no --parameter; there is " +
                                 listed(names) + " (the text itself is written {{" + name + "}})");
            }
            result += known->second;
        });
    return result;
}

std::vector<std::string> names_in(const std::string& text) {
    std::vector<std::string> names;
    walk(
        text, [](std::string_view) {},
        [&](const std::string& name, bool doubled) {
            if (!doubled && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        });
    return names;
}

void check_all_are_named(const std::vector<ScannedParameter>& parameters,
                         const std::vector<std::string>& texts) {
    for (const ScannedParameter& p : parameters) {
        const bool named = std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
            const std::vector<std::string> names = names_in(text);
            return std::find(names.begin(), names.end(), p.name) != names.end();
        });
        if (!named)
            throw InputError("--parameter " + p.name + ": no command names it; write {" + p.name +
                             "} where its value belongs");
    }
}

std::string point_text(const ScanPoint& point) {
    std::string text;
    for (const auto& [name, value] : point) text += (text.empty() ? "" : ", ") + name + "=" + value;
    return text;
}

}  // namespace rooftune::track
