#include "kernels/runtime/whole_number.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace rooftune {
namespace {

bool are_digits(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::errc read_all(std::string_view text, std::int64_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc::invalid_argument || end != text.data() + text.size()
               ? std::errc::invalid_argument
               : error;
}

}  // namespace

std::errc read_whole_number(std::string_view text, std::int64_t& value) {
    const std::size_t e = text.find_first_of("eE");
    if (e == std::string_view::npos) return read_all(text, value);
    std::string_view mantissa = text.substr(0, e), exponent = text.substr(e + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    const bool is_negative = mantissa.starts_with('-');
    if (is_negative) mantissa.remove_prefix(1);
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    const std::string_view before = mantissa.substr(0, point);
    std::string_view after = mantissa.substr(std::min(point + 1, mantissa.size()));
    if (before.size() + after.size() == 0 || !are_digits(before) || !are_digits(after) ||
        exponent.starts_with('+'))
        return std::errc::invalid_argument;
    while (after.ends_with('0')) after.remove_suffix(1);
    std::string digits = std::string(before) + std::string(after);
    std::int64_t power = 0;
    const std::errc read = read_all(exponent, power);
    if (read == std::errc::invalid_argument) return read;
    if (digits.find_first_not_of('0') == std::string::npos) {
        value = 0;
        return {};
    }
    if (read != std::errc()) return exponent.starts_with('-') ? std::errc::invalid_argument : read;
    // By the digits, because a double would round the largest ones.
    constexpr std::int64_t kMostDigits = 64, kMostPower = 100'000;
    const std::int64_t zeros =
        std::clamp(power, -kMostPower, kMostPower) - static_cast<std::int64_t>(after.size());
    if (zeros > kMostDigits) return std::errc::result_out_of_range;
    if (zeros >= 0) {
        digits.append(static_cast<std::size_t>(zeros), '0');
    } else {
        const auto fraction = std::min(digits.size(), static_cast<std::size_t>(-zeros));
        const std::string_view cut = std::string_view(digits).substr(digits.size() - fraction);
        const bool is_whole = cut.find_first_not_of('0') == std::string_view::npos;
        if (!is_whole || fraction == digits.size()) return std::errc::invalid_argument;
        digits.resize(digits.size() - fraction);
    }
    return read_all((is_negative ? "-" : "") + digits, value);
}

}  // namespace rooftune
