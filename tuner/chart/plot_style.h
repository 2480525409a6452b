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
/// What tells series of one colour apart, up to the 24th: the dashes of its lines, as SVG writes them, and
/// the sign that its markers bear, the data of a path about the marker's middle. Both are empty for the first
/// six.
std::string_view series_dash(std::size_t n);
std::string_view series_sign(std::size_t n);

/// Class and dash of an element type's lines: f64 is solid, and each of the others has its own dashes.
std::string_view type_hue(std::string_view type);
std::string_view type_dash(std::string_view type);

inline constexpr std::string_view kBandwidthHue = "bandwidth";
inline constexpr std::string_view kGreyHue = "grey";

/// Attributes of the lines that every chart has: its grid, the edge that an axis stands on, and the thin
/// leader from a curve to its name.
inline constexpr std::string_view kGridLine = "class=\"grid\" stroke-width=\"1\"";
inline constexpr std::string_view kEdgeLine = "class=\"frame\" stroke-width=\"1.2\"";
inline constexpr std::string_view kLeaderLine = "class=\"frame\" stroke-width=\"0.7\"";

/// Attributes of a line in the colour of a class: its width in pixels, and its dashes as SVG writes them
/// ("6 4"); none for a solid line.
std::string stroke(std::string_view hue, double width, std::string_view dashes = {});
/// Attributes of an area, and the classes of a text, in the colour of a class.
std::string filled(std::string_view hue);
std::string text_in(std::string_view hue);

}  // namespace rooftune::plot_style
