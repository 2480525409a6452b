#include "tuner/external/program_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "kernels/runtime/error.h"
#include "tuner/base/child_output.h"
#include "tuner/base/si.h"
#include "tuner/base/text_width.h"
#include "tuner/external/characters.h"

namespace rooftune::external {
namespace {

// A number in a text, with what stands behind it.
struct Number {
    double value = 0.0;
    double last_digit = 0.0;  ///< one in it
    std::size_t begin = 0, end = 0;
};

// The number that begins at a place; nothing where none does, as within a word ("bench2") or another number.
std::optional<Number> number_at(std::string_view text, std::size_t at) {
    std::size_t digits = at;
    if (digits < text.size() && (text[digits] == '-' || text[digits] == '+')) ++digits;
    const std::size_t first = digits + (digits < text.size() && text[digits] == '.' ? 1 : 0);
    if (first >= text.size() || !is_digit(text[first])) return std::nullopt;
    if (at > 0 && (is_of_a_word(text[at - 1]) || is_digit(text[at - 1]) || text[at - 1] == '.'))
        return std::nullopt;
    Number number;
    const std::size_t from = text[at] == '+' ? at + 1 : at;
    const auto [end, error] = std::from_chars(text.data() + from, text.data() + text.size(), number.value);
    if (error != std::errc()) return std::nullopt;
    number.begin = at;
    number.end = static_cast<std::size_t>(end - text.data());
    const std::string_view written = text.substr(from, number.end - from);
    const std::size_t exponent = std::min(written.find_first_of("eE"), written.size());
    const std::size_t point = written.substr(0, exponent).find('.');
    double power = point == std::string_view::npos ? 0.0 : -static_cast<double>(exponent - point - 1);
    if (exponent < written.size()) power += std::atof(std::string(written.substr(exponent + 1)).c_str());
    number.last_digit = std::pow(10.0, power);
    return number;
}

// What a number is cut out of where digits go on at its side: "1:01.2", "12,5 s" and "1,234 ms" are each one
// number, which is not read here. Empty: it stands alone.
std::string whole_of(std::string_view text, const Number& number) {
    const auto separates = [](char c) { return c == ',' || c == ':' || c == '.'; };
    const auto is_part = [&](char c) { return is_digit(c) || separates(c); };
    std::size_t begin = number.begin, end = number.end;
    const bool before = begin > 0 && (is_digit(text[begin - 1]) ||
                                      (begin > 1 && separates(text[begin - 1]) && is_digit(text[begin - 2])));
    const bool behind = end + 1 < text.size() && separates(text[end]) && is_digit(text[end + 1]);
    if (!before && !behind) return "";
    while (begin > 0 && is_part(text[begin - 1])) --begin;
    while (end < text.size() && is_part(text[end])) ++end;
    return std::string(text.substr(begin, end - begin));
}

std::string with_output(const std::string& what, const std::string& output) {
    return what + "; it printed: " + end_of_output(output);
}

struct Unit {
    std::string_view name;
    double seconds;
};
constexpr std::array<Unit, 24> kUnits{{{"s", 1.0},
                                       {"sec", 1.0},
                                       {"secs", 1.0},
                                       {"second", 1.0},
                                       {"seconds", 1.0},
                                       {"ms", 1e-3},
                                       {"msec", 1e-3},
                                       {"msecs", 1e-3},
                                       {"millisecond", 1e-3},
                                       {"milliseconds", 1e-3},
                                       {"us", 1e-6},
                                       {"\u00b5s", 1e-6},
                                       {"\u03bcs", 1e-6},
                                       {"usec", 1e-6},
                                       {"usecs", 1e-6},
                                       {"microsecond", 1e-6},
                                       {"microseconds", 1e-6},
                                       {"ns", 1e-9},
                                       {"nsec", 1e-9},
                                       {"nsecs", 1e-9},
                                       {"nanosecond", 1e-9},
                                       {"nanoseconds", 1e-9},
                                       {"min", 60.0},
                                       {"minutes", 60.0}}};

// A number with its unit as a time. `group_end`: the end of the group that names it, which has to be no
// more; npos without one.
PrintedTime time_of(const Number& number, std::string_view text, std::size_t group_end,
                    const std::string& output) {
    std::string whole = whole_of(text, number);
    if (whole.empty() && number.end > group_end) whole = text.substr(number.begin, number.end - number.begin);
    if (!whole.empty())
        throw VariantError(
            VariantError::Kind::fault,
            with_output("its time would be a part of '" + printable(whole) +
                            "'; have it print seconds with a point and without separators, or say by `time` "
                            "and a regular expression which number is the time",
                        output));
    const std::size_t at = std::min(text.find_first_not_of(" \t", number.end), text.size());
    std::size_t end = at;
    while (end < text.size() && (is_of_a_word(text[end]) || text[end] == '/' || text[end] == '%')) ++end;
    const std::string word(text.substr(at, end - at));
    double unit = 1.0;
    if (!word.empty()) {
        const auto known =
            std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) { return u.name == word; });
        if (known == kUnits.end())
            throw VariantError(
                VariantError::Kind::fault,
                with_output(fmt::format("behind the number {:.10g}, which would be its time, stands '{}', "
                                        "which is no unit of time; say by `time` and a regular expression "
                                        "which number is the time",
                                        number.value, printable(word)),
                            output));
        unit = known->seconds;
    }
    if (group_end != std::string_view::npos && text.find_first_not_of(" \t\r\n", end) < group_end)
        throw VariantError(
            VariantError::Kind::fault,
            with_output("what `time` matches, '" +
                            printable(text.substr(number.begin, group_end - number.begin)) +
                            "', has more than a number and its unit; have the group match no more",
                        output));
    const PrintedTime time{number.value * unit, number.last_digit * unit};
    if (!(time.seconds > 0.0) || !std::isfinite(time.seconds))
        throw VariantError(
            VariantError::Kind::fault,
            with_output(fmt::format("the time that it printed is {:.10g} s, {}", time.seconds,
                                    time.seconds == 0.0 ? "too few digits to compare by" : "which is none"),
                        output));
    return time;
}

}  // namespace

TimeSource::TimeSource(const Declaration& declaration, const Text& text) {
    std::string pattern = text.text;
    if (pattern == "wall") return;
    if (pattern == "printed") {
        kind_ = Kind::printed;
        return;
    }
    const char quote = pattern.front();
    if (pattern.size() > 1 && (quote == '\'' || quote == '"') && pattern.back() == quote)
        pattern = pattern.substr(1, pattern.size() - 2);
    const std::string form =
        "; write wall, printed, or a regular expression with a group that is the number, like 'time: "
        "([0-9.]+)'";
    auto compiled = std::make_unique<regex_t>();
    if (const int failure = regcomp(compiled.get(), pattern.c_str(), REG_EXTENDED | REG_NEWLINE)) {
        std::array<char, 200> why{};
        regerror(failure, compiled.get(), why.data(), why.size());
        refuse(declaration.file, text,
               "'" + pattern + "' is no regular expression (" + why.data() + ")" + form);
    }
    pattern_ = std::shared_ptr<const regex_t>(compiled.release(), [](const regex_t* made) {
        regfree(const_cast<regex_t*>(made));  // made as one that is not const
        delete made;
    });
    kind_ = Kind::pattern;
    if (pattern_->re_nsub == 0) refuse(declaration.file, text, "'" + pattern + "' has no group" + form);
}

PrintedTime TimeSource::printed_in(const std::string& output) const {
    const std::string_view all = output;
    if (kind_ == Kind::pattern) {
        std::array<regmatch_t, 2> match{}, last{};
        bool found = false;
        for (std::size_t from = 0; from <= output.size();) {
            if (regexec(pattern_.get(), output.c_str() + from, match.size(), match.data(),
                        from > 0 && output[from - 1] != '\n' ? REG_NOTBOL : 0) != 0)
                break;
            const auto offset = static_cast<regoff_t>(from);
            found = match[1].rm_so >= 0 || found;
            if (match[1].rm_so >= 0) last = {{{0, 0}, {match[1].rm_so + offset, match[1].rm_eo + offset}}};
            from += static_cast<std::size_t>(std::max<regoff_t>(1, match[0].rm_eo));
        }
        if (!found)
            throw VariantError(VariantError::Kind::fault,
                               with_output("nothing that it printed matches what `time` declares", output));
        std::size_t at = static_cast<std::size_t>(last[1].rm_so);
        const auto end = static_cast<std::size_t>(last[1].rm_eo);
        const std::string group = output.substr(at, end - at);
        while (at < end && (output[at] == ' ' || output[at] == '\t')) ++at;
        // A letter may stand before a group, which is no place for a number otherwise.
        std::optional<Number> number = at < end ? number_at(all.substr(at), 0) : std::optional<Number>();
        if (!number)
            throw VariantError(
                VariantError::Kind::fault,
                with_output("what `time` matches, '" + printable(group) + "', is no number", output));
        number->begin += at;
        number->end += at;
        // The whole output, since a unit may stand behind the group, and more digits of the number.
        return time_of(*number, all, end, output);
    }
    for (std::size_t end = output.size(); end > 0;) {
        const std::size_t before = end == 0 ? std::string::npos : output.rfind('\n', end - 1);
        const std::size_t begin = before == std::string::npos ? 0 : before + 1;
        const std::string_view line = all.substr(begin, end - begin);
        std::optional<Number> last;
        for (std::size_t at = 0; at < line.size();) {
            const std::optional<Number> number = number_at(line, at);
            if (number) last = number;
            at = number ? number->end : at + 1;
        }
        if (last) return time_of(*last, line, std::string_view::npos, output);
        if (begin == 0) break;
        end = begin - 1;
    }
    throw VariantError(VariantError::Kind::fault,
                       with_output("it printed no number, which would be its time", output));
}

void check_printed(const PrintedTime& printed, double wall) {
    // Clocks of two processes are one, but for what a number of few digits is rounded by.
    constexpr double kClocksDiffer = 0.01;
    if (printed.seconds <= (1.0 + kClocksDiffer) * wall + printed.resolution) return;
    throw VariantError(
        VariantError::Kind::fault,
        fmt::format("the time that it printed, {}, is longer than the {} that it ran: is it one of all "
                    "processors together, or in another unit?",
                    format_seconds(printed.seconds), format_seconds(wall)));
}

std::string end_of_output(const std::string& output) {
    constexpr std::size_t kMost = 200;
    std::string end = output.size() > kMost ? "…" + output.substr(output.size() - kMost) : output;
    end = printable(one_line(std::move(end)));
    return end.empty() ? "nothing" : end;
}

}  // namespace rooftune::external
