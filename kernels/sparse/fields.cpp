#include "kernels/sparse/fields.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>

namespace rooftune::sparse {
namespace {

/// std::from_chars takes no plus sign; the format does.
std::string_view without_plus(std::string_view field) {
    if (field.size() > 1 && field[0] == '+' && field[1] != '-' && field[1] != '+') field.remove_prefix(1);
    return field;
}

bool starts_with_letter(std::string_view field) {
    if (!field.empty() && (field[0] == '-' || field[0] == '+')) field.remove_prefix(1);
    return !field.empty() && ((field[0] >= 'a' && field[0] <= 'z') || (field[0] >= 'A' && field[0] <= 'Z'));
}

}  // namespace

std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> fields;
    std::size_t at = 0;
    for (;;) {
        while (at < line.size() && is_blank(line[at])) ++at;
        if (at == line.size()) return fields;
        const std::size_t begin = at;
        while (at < line.size() && !is_blank(line[at])) ++at;
        fields.push_back(line.substr(begin, at - begin));
    }
}

bool is_skippable(std::string_view line) {
    for (const char c : line) {
        if (!is_blank(c)) return c == '%';
    }
    return true;
}

NumberFault parse_integer(std::string_view field, std::int64_t& value) {
    field = without_plus(field);
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error == std::errc::invalid_argument || end != field.data() + field.size())
        return NumberFault::not_a_number;
    return error == std::errc::result_out_of_range ? NumberFault::out_of_range : NumberFault::none;
}

NumberFault parse_real(std::string_view field, double& value) {
    field = without_plus(field);
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error == std::errc::invalid_argument || end != field.data() + field.size())
        return NumberFault::not_a_number;
    if (starts_with_letter(field)) return NumberFault::not_finite;
    // Libraries differ in what they return for too large and too small numbers; strtod is settled.
    if (error == std::errc::result_out_of_range) value = std::strtod(std::string(field).c_str(), nullptr);
    return std::isfinite(value) ? NumberFault::none : NumberFault::out_of_range;
}

std::string quoted(std::string_view field) {
    constexpr std::size_t kLongest = 40;
    std::string text = "'";
    for (const char c : field.substr(0, kLongest)) text += c >= ' ' && c <= '~' ? c : '?';
    if (field.size() > kLongest) text += "...";
    return text + "'";
}

}  // namespace rooftune::sparse
