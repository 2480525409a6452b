// Figures as profilers print them: separators between thousands, in the language of the machine that
// printed them, and units with prefixes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rooftune::imports {

/// Which of '.' and ',' stands before the fraction; the other one groups thousands.
enum class Decimal { point, comma };

/// What one figure says of the file's style: `comma` for "27.595.520" and "65,77", `point` for
/// "27,595,520", "65.77" and "1,234.5"; nothing for what both could have written ("1,234", "117.344").
std::optional<Decimal> style_of(std::string_view figure);

/// The value; nullopt for what is no figure. Separators must stand where groups of three digits end.
std::optional<double> figure_from(std::string_view text, Decimal decimal);

/// Whether a profiler printed this in place of a figure it does not have: "", "n/a", "(!) n/a", "nan", "-".
bool is_absent(std::string_view text);

/// What a unit of Nsight Compute is worth in base units, prefixes of a thousand: "usecond" and "us" 1e-6,
/// "Mbyte" 1e6, "Kinst" 1e3, "cycle/nsecond" 1e9, "" and "sector" 1. nullopt for one that is not known.
std::optional<double> unit_factor(std::string_view unit);

}  // namespace rooftune::imports
