#include "tuner/import/figures.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "tuner/base/digits.h"

namespace rooftune::imports {
namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
    return text;
}

/// Digits behind the last separator, or npos without one.
std::size_t digits_behind(std::string_view figure, std::size_t separator) {
    std::size_t n = 0;
    while (separator + 1 + n < figure.size() && is_digit(figure[separator + 1 + n])) ++n;
    return n;
}

}  // namespace

std::optional<Decimal> style_of(std::string_view figure) {
    figure = trimmed(figure);
    const std::size_t point = figure.find('.'), comma = figure.find(',');
    const bool points = point != std::string_view::npos, commas = comma != std::string_view::npos;
    if (points && commas) return figure.rfind('.') > figure.rfind(',') ? Decimal::point : Decimal::comma;
    if (!points && !commas) return std::nullopt;
    const char separator = points ? '.' : ',';
    const Decimal as_decimal = points ? Decimal::point : Decimal::comma;
    const Decimal as_group = points ? Decimal::comma : Decimal::point;
    const std::size_t first = points ? point : comma;
    if (figure.find(separator, first + 1) != std::string_view::npos) return as_group;
    // One separator: a group has three digits behind it and one to three before, the first no zero.
    const std::size_t begin = !figure.empty() && (figure[0] == '-' || figure[0] == '+') ? 1 : 0;
    const std::size_t before = first - begin;
    const bool could_group = digits_behind(figure, first) == 3 && first + 4 == figure.size() && before >= 1 &&
                             before <= 3 && figure[begin] != '0';
    return could_group ? std::nullopt : std::optional(as_decimal);
}

std::optional<double> figure_from(std::string_view text, Decimal decimal) {
    text = trimmed(text);
    const char fraction = decimal == Decimal::point ? '.' : ',';
    const char group = decimal == Decimal::point ? ',' : '.';
    std::string plain;
    std::size_t since_group = 0;
    bool grouped = false, in_fraction = false, exponent = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == group && !in_fraction && !exponent) {
            if (since_group == 0 || since_group > 3 || (grouped && since_group != 3)) return std::nullopt;
            grouped = true;
            since_group = 0;
            continue;
        }
        if (grouped && !in_fraction && !exponent && (c == fraction || c == 'e' || c == 'E') &&
            since_group != 3)
            return std::nullopt;
        if (c == fraction) {
            if (in_fraction || exponent) return std::nullopt;
            in_fraction = true;
            plain += '.';
            continue;
        }
        if (c == 'e' || c == 'E') exponent = true;
        if (is_digit(c)) ++since_group;
        plain += c;
    }
    if (grouped && !in_fraction && !exponent && since_group != 3) return std::nullopt;
    if (!plain.empty() && plain[0] == '+') plain.erase(0, 1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    if (error != std::errc() || end != plain.data() + plain.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

bool is_absent(std::string_view text) {
    text = trimmed(text);
    return text.empty() || text == "-" || text == "nan" || text == "NaN" || text == "inf" || text == "N/A" ||
           text.ends_with("n/a");
}

std::optional<double> unit_factor(std::string_view unit) {
    unit = trimmed(unit);
    if (const std::size_t slash = unit.find('/'); slash != std::string_view::npos) {
        // No profiler writes two, and each of a thousand would be a call within a call.
        if (unit.find('/', slash + 1) != std::string_view::npos) return std::nullopt;
        const auto over = unit_factor(unit.substr(0, slash)), under = unit_factor(unit.substr(slash + 1));
        return over && under ? std::optional(*over / *under) : std::nullopt;
    }
    constexpr std::array<std::pair<std::string_view, double>, 14> kTimes{{{"second", 1.0},
                                                                          {"msecond", 1e-3},
                                                                          {"usecond", 1e-6},
                                                                          {"nsecond", 1e-9},
                                                                          {"s", 1.0},
                                                                          {"sec", 1.0},
                                                                          {"ms", 1e-3},
                                                                          {"us", 1e-6},
                                                                          {"µs", 1e-6},
                                                                          {"ns", 1e-9},
                                                                          {"%", 1e-2},
                                                                          {"", 1.0},
                                                                          {"minute", 60.0},
                                                                          {"hour", 3600.0}}};
    for (const auto& [name, factor] : kTimes) {
        if (unit == name) return factor;
    }
    constexpr std::array<std::string_view, 9> kCounts{"byte", "sector",  "inst",  "cycle", "hz",
                                                      "Hz",   "request", "block", "thread"};
    constexpr std::array<std::pair<std::string_view, double>, 10> kPrefixes{{{"", 1.0},
                                                                             {"K", 1e3},
                                                                             {"k", 1e3},
                                                                             {"M", 1e6},
                                                                             {"G", 1e9},
                                                                             {"T", 1e12},
                                                                             {"P", 1e15},
                                                                             {"Ki", 1024.0},
                                                                             {"Mi", 1048576.0},
                                                                             {"Gi", 1073741824.0}}};
    for (const auto& [prefix, factor] : kPrefixes) {
        if (!unit.starts_with(prefix)) continue;
        const std::string_view rest = unit.substr(prefix.size());
        for (const std::string_view name : kCounts) {
            if (rest == name || (rest.ends_with('s') && rest.substr(0, rest.size() - 1) == name))
                return factor;
        }
    }
    return std::nullopt;
}

}  // namespace rooftune::imports
