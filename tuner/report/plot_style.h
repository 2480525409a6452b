// Colours, dashes and sizes of the plot. Colours are classes of a style sheet in the file, so that it follows
// the reader's light or dark mode; on paper it is always light.
#pragma once

#include <string>
#include <string_view>

namespace rooftune::plot_style {

inline constexpr double kFont = 12.5;
inline constexpr double kSmall = 11.5;
inline constexpr double kLineHeight = 16.0;

/// The style sheet. Classes: page, ink, faint (text), grid, frame, halo (text on lines), fill and stroke (in
/// the colour of the class beside them), zone-memory, zone-both, zone-compute.
std::string_view css();

/// Class that sets the colour of the n-th series; they repeat after six, which readers with any colour
/// vision can tell apart (the palette of Okabe and Ito).
std::string_view series_hue(std::size_t n);

/// Class and dash of an element type's lines: f64 is solid, and each of the others has its own dashes.
std::string_view type_hue(std::string_view type);
std::string_view type_dash(std::string_view type);

inline constexpr std::string_view kBandwidthHue = "bandwidth";
inline constexpr std::string_view kGreyHue = "grey";

}  // namespace rooftune::plot_style
