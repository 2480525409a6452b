#include "tuner/track/printed_number.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "tuner/base/digits.h"

namespace rooftune::track {
namespace {

constexpr std::string_view kBetweenWords = " \t\r\n=:,;()[]";

// What the last digit of a decimal number stands for.
double step_of(std::string_view digits) {
    int exponent = 0;
    const std::size_t e = digits.find_first_of("eE");
    if (e != std::string_view::npos) {
        const std::size_t from = digits[e + 1] == '+' ? e + 2 : e + 1;
        std::from_chars(digits.data() + from, digits.data() + digits.size(), exponent);
        digits = digits.substr(0, e);
    }
    const std::size_t point = digits.find('.');
    const std::size_t decimals = point == std::string_view::npos ? 0 : digits.size() - point - 1;
    return std::pow(10.0, exponent - static_cast<double>(decimals));
}

std::optional<PrintedNumber> number_of(std::string_view word) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    if (word.starts_with('+')) word.remove_prefix(1);
    const std::string_view unsigned_word = word.starts_with('-') ? word.substr(1) : word;
    // As C prints them, whole words only: "info" and "nanoseconds" begin alike.
    for (const std::string_view name : {"nan", "NaN", "NAN"}) {
        if (unsigned_word == name) return PrintedNumber{std::numeric_limits<double>::quiet_NaN(), 0.0};
    }
    for (const std::string_view name : {"inf", "Inf", "INF", "infinity", "INFINITY"}) {
        if (unsigned_word == name) return PrintedNumber{word == unsigned_word ? kInfinite : -kInfinite, 0.0};
    }
    const bool digits = !unsigned_word.empty() &&
                        (is_digit(unsigned_word[0]) ||
                         (unsigned_word.size() > 1 && unsigned_word[0] == '.' && is_digit(unsigned_word[1])));
    if (!digits) return std::nullopt;
    PrintedNumber number;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number.value);
    if (error == std::errc::result_out_of_range) return PrintedNumber{kInfinite, 0.0};
    if (error != std::errc()) return std::nullopt;
    const auto length = static_cast<std::size_t>(end - word.data());
    // A date, a version or a range is no number that goes on with a unit.
    if (length < word.size() && std::string_view(".-/").find(word[length]) != std::string_view::npos &&
        length + 1 < word.size()) {
        return std::nullopt;
    }
    number.step = step_of(word.substr(0, length));
    return number;
}

}  // namespace

std::optional<PrintedNumber> last_number(std::string_view text) {
    while (!text.empty()) {
        const std::size_t last = text.find_last_not_of(kBetweenWords);
        if (last == std::string_view::npos) break;
        const std::size_t before = text.find_last_of(kBetweenWords, last);
        const std::size_t first = before == std::string_view::npos ? 0 : before + 1;
        if (const auto number = number_of(text.substr(first, last + 1 - first))) return number;
        text = text.substr(0, first);
    }
    return std::nullopt;
}

}  // namespace rooftune::track
