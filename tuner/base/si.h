// Numbers for people: three significant digits, SI prefixes, one spelling for each kind of figure.
// Nothing here prints "nan" or "inf": what is not a number is "n/a", what is unbounded is "∞".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rooftune {

/// "4.10 Gflop/s", "1.40 ms", "56.2 MB". Beyond atto and exa: "1.00e-21 s".
std::string format_si(double value, std::string_view unit);

std::string format_seconds(double seconds);

/// Whether an end of an interval tells a reader anything of the value: an end that is ten times as far, as
/// rounds leave it that something disturbed throughout, is no more than noise.
bool says_something(double value, double end);

/// "1.40 ms [1.38, 1.42]": the limits in the prefix of the value. Without an interval (low and high
/// not positive, or not around anything) only the value. An end that says nothing is left out: "1.40 ms [at
/// least 1.38]".
std::string format_seconds_interval(double value, double low, double high);

/// A capacity in binary prefixes: "4 MiB", "1.5 KiB".
std::string format_capacity(double bytes);

/// "88 %", "9.3 %", "0.52 %"; a share below one is never shown as "100 %", nor a positive one as "0 %".
std::string format_percent(double fraction);

/// The same, rounded up: for limits, which must not be understated.
std::string format_percent_up(double fraction);

/// "1.90×", "12.3×", "1 234×".
std::string format_ratio(double ratio);
/// The same, never rounded down: for limits.
std::string format_ratio_up(double ratio);

/// "1.90× [1.85, 1.94]"; only the ratio where the limits are absent (not positive); without an end that says
/// nothing, as above.
std::string format_ratio_interval(double ratio, double low, double high);

/// On which side of 1 a whole interval of ratios lies, as it is written: one of which a limit is written
/// 1.00 contains 1 for whoever reads it. Neither without an interval.
enum class RatioSide { below, neither, above };
RatioSide side_of_one(double low, double high);

/// "93 261".
std::string format_count(std::uint64_t count);

/// A count of at least 0 with its noun: "1 variant", "93 261 variants".
std::string format_plural(std::int64_t count, std::string_view noun);

/// Time for people to wait: "38 s", "2 min 5 s", "3 h 20 min".
std::string format_duration(double seconds);

}  // namespace rooftune
