// Parameters of commands: values that stand in the place of {name}, one comparison or one arm for each.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace rooftune::track {

struct ScannedParameter {
    std::string name;
    std::vector<std::string> values;
};

/// One value of each parameter, in the order in which they were given.
using ScanPoint = std::vector<std::pair<std::string, std::string>>;

/// A scan has at most so many points.
inline constexpr std::size_t kMostPoints = 64;

/// "n=1:10" (both ends), "n=1:10:3" (with a step, which may be negative), "n=0.5:2:0.5" (as many decimals as
/// the start and the step have), or "n=1,2,4,8" (any texts without a comma). Throws InputError for what is
/// none of these, for a value that is there twice, and for more than kMostPoints values.
ScannedParameter parameter_from(const std::string& text);

/// Every combination of values, the last parameter's varying fastest. Throws InputError for a name that is
/// there twice, and for more than kMostPoints combinations. Without parameters the one empty point.
std::vector<ScanPoint> points_of(const std::vector<ScannedParameter>& parameters);

/// The text with each {name} replaced by its value; "{{name}}" stands for the text "{name}" itself. What is
/// no name in braces is left as it is. Throws InputError, with `flag` in front, for a name that the point
/// does not have.
std::string replaced(const std::string& text, const ScanPoint& point, const std::string& flag);

/// The names in braces, in order, each once.
std::vector<std::string> names_in(const std::string& text);

/// Throws InputError for a parameter that none of the texts names.
void check_all_are_named(const std::vector<ScannedParameter>& parameters,
                         const std::vector<std::string>& texts);

/// "n=4, t=2"; empty without parameters.
std::string point_text(const ScanPoint& point);

}  // namespace rooftune::track
